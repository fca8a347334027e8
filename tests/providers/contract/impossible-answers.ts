import { expect, it } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import { isObject, type Json } from '../../../lib/domain/json';
import type { VideoProgress } from '../../../lib/domain/video';
import { makeCall, makeRunning } from './video';
import { begin, pollToEnd, submit, type VendorContract, type VendorSubject } from '../support/vendor-subject';
import { contentOf, forEachMutation, isStorable, problemOf } from './answer-mutations';

// Answers that no documentation of a vendor has, to submits, uploads and polls.

/** The request of a path, whatever job it is about. */
const pathWithoutId = (path: string) => path.replaceAll(/[\w-]*\d[\w-]{7,}/g, '*');

export function impossibleAnswersContract(subject: VendorSubject, contract: VendorContract): void {
  const vendor = { subject, contract };

  it('whatever the fields of a poll have, the check is repeated or the end is one that can be stored', async () => {
    const { receipt } = await begin(subject, contract);
    const job = subject.vendor.jobs.at(-1);
    const work = async (): Promise<VideoProgress> => {
      if (job) job.polls = 9;
      const stored = JSON.parse(JSON.stringify(receipt)) as Json;
      return subject.video.check(makeRunning(stored), makeCall(subject.log));
    };
    expect(await forEachMutation(vendor, work, (request) => !contract.isSubmit(request), problemOf)).toEqual([]);
  });

  // The job has failed, its content was refused, or the poll itself is refused: errors in the vendor's own shape.
  it.each([
    ['fail', 9],
    ['moderated-output', 9],
    ['poll401:9', 0],
  ])('whatever the fields of a poll that finds %s have, it is no error of ours', async (scenario, polls) => {
    const { receipt } = await begin(subject, contract, { scenario });
    const job = subject.vendor.jobs.at(-1);
    const work = async (): Promise<VideoProgress> => {
      if (job) job.polls = polls;
      return subject.video.check(makeRunning(receipt), makeCall(subject.log));
    };
    expect(await forEachMutation(vendor, work, (request) => !contract.isSubmit(request), problemOf)).toEqual([]);
  });

  it('a poll that is answered with another status of success is read', async () => {
    const { receipt } = await begin(subject, contract);
    subject.vendor.alterAnswers((reply, request) =>
      !contract.isSubmit(request) && reply.status === 200 && isObject(contentOf(reply))
        ? { ...reply, status: 202 }
        : reply,
    );
    const { end } = await pollToEnd(subject, receipt).finally(() => subject.vendor.alterAnswers());
    expect(end?.status).toBe('completed');
  });

  if (!contract.pollsNameNoJob)
    it('an answer about another job is not believed', async () => {
      const other = await begin(subject, contract);
      const answers = new Map<string, unknown>();
      subject.vendor.alterAnswers((reply, request) => {
        if (!contract.isSubmit(request)) answers.set(pathWithoutId(request.path), reply.body);
        return reply;
      });
      await pollToEnd(subject, other.receipt);
      const { receipt } = await begin(subject, contract, { scenario: 'hang' });
      subject.vendor.alterAnswers((reply, request) => {
        const body = contract.isSubmit(request) ? undefined : answers.get(pathWithoutId(request.path));
        return body === undefined ? reply : { ...reply, body };
      });
      const { end, errors } = await pollToEnd(subject, receipt, 4).finally(() => subject.vendor.alterAnswers());
      expect(end).toBeUndefined();
      for (const error of errors) expect(error).toMatchObject({ extra: { upstream: { retry: 'later' } } });
    });

  it('whatever the fields of the answer to a submit have, it may have begun or has a receipt that can be stored', async () => {
    const work = () => submit(subject, contract);
    const problems = await forEachMutation(vendor, work, contract.isSubmit, (outcome) => {
      if (outcome instanceof Error) return outcome.message;
      const { started, error } = outcome;
      if (started)
        return isStorable(started) && (started.providerJobId ?? '').length < 2_000 ? undefined : 'not storable';
      // Without an outcome, the point of no return decides.
      if (!isGatewayError(error) || error.extra.upstream?.started === 'maybe') return undefined;
      return `nothing has begun: ${error.message}`;
    });
    expect(problems).toEqual([]);
  });

  if (contract.uploads)
    it('whatever the fields of the answer to an upload have, no work begins that is not recorded', async () => {
      const work = () => submit(subject, contract, contract.uploads);
      const isUpload = (request: Parameters<typeof contract.isSubmit>[0]) => !contract.isSubmit(request);
      const problems = await forEachMutation(vendor, work, isUpload, (outcome) => {
        if (outcome instanceof Error) return outcome.message;
        const { started, error, bodies } = outcome;
        if (!isStorable(bodies)) return 'a body that cannot be stored';
        if (started) return undefined;
        if (!isGatewayError(error) || !error.extra.upstream) return `an error of ours: ${String(error)}`;
        return error.extra.upstream.started === 'no' ? undefined : `it may have begun: ${error.message}`;
      });
      expect(problems).toEqual([]);
    });

  it('whatever the fields of a refusal have, it has an outcome and a message that can be stored', async () => {
    const work = () => submit(subject, contract, { scenario: 'invalid' });
    const problems = await forEachMutation(vendor, work, contract.isSubmit, (outcome) => {
      if (outcome instanceof Error) return outcome.message;
      const { started, error } = outcome;
      // An id counts, whatever else the answer says.
      if (started) return isStorable(started) ? undefined : 'not storable';
      if (!isGatewayError(error) || !error.extra.upstream) return `an error of ours: ${String(error)}`;
      return isStorable(error.message) ? undefined : 'a message that cannot be stored';
    });
    expect(problems).toEqual([]);
  });
}
