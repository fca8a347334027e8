import { expect, it } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import { isObject, type Json } from '../../../lib/domain/json';
import type { VideoProgress } from '../../../lib/domain/video';
import { parseJson } from '../../../lib/providers/kit/http/ask-json';
import { proofStep } from '../../support/proof-runs';
import type { AlterAnswer, VendorReply } from '../../support/upstreams/fake-video-vendor';
import { makeCall, makeRunning } from './video';
import { begin, pollToEnd, submit, type VendorContract, type VendorSubject } from '../support/vendor-subject';

// Answers that no documentation of a vendor has: each field of an answer in turn is missing, of another type, out of
// range or no storable text. Many of them in one test, because each takes some milliseconds.

/** Halves of surrogate pairs and NUL are refused by the database, and numbers above 2^63 too. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  '',
  0,
  -1,
  1e308,
  9_007_199_254_740_991,
  true,
  {},
  [],
  { toString: 1, valueOf: 1 },
  'x'.repeat(10_000),
  'a\0b',
  'a\ud800b',
  'javascript:alert(1)',
  'http://127.0.0.1:1/a.mp4',
  'http://user:password@127.0.0.1:1/a.mp4',
];

/** In a short run, one in this many is tested. */
const STEP = 8;

/** The headers of the signatures of all vendors. */
const CALLBACK_HEADERS = [
  'date',
  'x-hmac-signature',
  'x-hmac-signed-headers',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-fal-webhook-request-id',
  'x-fal-webhook-user-id',
  'x-fal-webhook-timestamp',
  'x-fal-webhook-signature',
  'x-webhook-secret-key',
];

type Path = readonly (string | number)[];

interface Mutation {
  readonly path: Path;
  readonly wrong: unknown;
}

/** Of each field of an answer, and of the first entry of each list in it. */
function allMutationsOf(value: unknown, at: Path = []): Mutation[] {
  const entries = Array.isArray(value) ? value.slice(0, 1) : isObject(value) ? value : {};
  return Object.entries(entries).flatMap(([name, inner]) => {
    const path = [...at, name];
    const wrong = typeof inner === 'string' ? [...WRONG, `${inner}\0b`, `${inner}\ud800b`] : WRONG;
    return [...wrong.map((each) => ({ path, wrong: each })), ...allMutationsOf(inner, path)];
  });
}

function withValue(value: unknown, [name, ...rest]: Path, wrong: unknown): unknown {
  if (name === undefined) return wrong;
  if (Array.isArray(value))
    return value.map((inner, at) => (String(at) === String(name) ? withValue(inner, rest, wrong) : inner));
  if (!isObject(value) || !(name in value)) return value;
  return { ...value, [name]: withValue(value[name], rest, wrong) };
}

/** Every field of this answer with every wrong value; in a short run some of them, and others for each vendor. */
function mutationsOf(answer: unknown, salt: string): Mutation[] {
  const step = proofStep(STEP);
  const first = [...salt].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  return allMutationsOf(answer).filter((_mutation, at) => (at + first) % step === 0);
}

/** The request of a path, whatever job it is about. */
const pathWithoutId = (path: string) => path.replaceAll(/[\w-]*\d[\w-]{7,}/g, '*');

const isStorable = (value: unknown) =>
  !/\\u0000|\\ud[89a-f]/i.test(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '',
  );

/** Some fakes write their JSON themselves, because of numbers that JavaScript does not have. */
const contentOf = ({ body }: VendorReply): unknown => (typeof body === 'string' ? parseJson(Buffer.from(body)) : body);

/** What is wrong with the outcome of a check; undefined if nothing is. */
function problemOf(outcome: VideoProgress | Error): string | undefined {
  if (outcome instanceof Error) {
    if (!isGatewayError(outcome)) return `an error of ours: ${outcome.message}`;
    return outcome.extra.upstream?.retry === 'later' ? undefined : `no later check after ${outcome.message}`;
  }
  if (!isStorable(outcome)) return 'not storable';
  if (outcome.status === 'failed' && !/^[A-Z].{10,}\.$/s.test(outcome.message))
    return `the sentence ${outcome.message}`;
  if (outcome.status !== 'completed') return undefined;
  const { publicUrl = 'https://none.example', file } = outcome.video;
  if (!/^https?:\/\/[^/@]+(?:\/|$)/.test(publicUrl)) return `the URL ${publicUrl}`;
  return JSON.stringify(file).length > 9_000 ? 'a file reference without a limit' : undefined;
}

export function impossibleAnswersContract(subject: VendorSubject, contract: VendorContract): void {
  /** Runs the work once for each mutation of the last answer that it got unaltered; returns the problems. */
  async function forEachMutation<Outcome>(
    work: () => Promise<Outcome>,
    isMeant: AlterAnswer extends (reply: never, request: infer Request) => unknown
      ? (request: Request) => boolean
      : never,
    judge: (outcome: Outcome | Error) => string | undefined,
  ): Promise<readonly string[]> {
    const { vendor } = subject;
    const samples = new Map<string, unknown>();
    vendor.alterAnswers((reply, request) => {
      const content = contentOf(reply);
      if (isMeant(request) && isObject(content)) samples.set(request.path, content);
      return reply;
    });
    await work().catch(() => undefined);
    expect(samples.size).toBeGreaterThan(0);
    const problems: string[] = [];
    try {
      for (const sample of samples.values())
        for (const { path, wrong } of mutationsOf(sample, contract.definition.id)) {
          vendor.alterAnswers((reply, request) => {
            const content = contentOf(reply);
            return isMeant(request) && isObject(content) ? { ...reply, body: withValue(content, path, wrong) } : reply;
          });
          const problem = judge(await work().catch((error: unknown) => error as Error));
          if (problem !== undefined)
            problems.push(`${path.join('.')} = ${(JSON.stringify(wrong) ?? 'undefined').slice(0, 40)}: ${problem}`);
        }
    } finally {
      vendor.alterAnswers();
    }
    return problems;
  }

  it('whatever the fields of a poll have, the check is repeated or the end is one that can be stored', async () => {
    const { receipt } = await begin(subject, contract);
    const job = subject.vendor.jobs.at(-1);
    const work = async (): Promise<VideoProgress> => {
      if (job) job.polls = 9;
      const stored = JSON.parse(JSON.stringify(receipt)) as Json;
      return subject.video.check(makeRunning(stored), makeCall(subject.log));
    };
    expect(await forEachMutation(work, (request) => !contract.isSubmit(request), problemOf)).toEqual([]);
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
    expect(await forEachMutation(work, (request) => !contract.isSubmit(request), problemOf)).toEqual([]);
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
    const problems = await forEachMutation(work, contract.isSubmit, (outcome) => {
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
      const problems = await forEachMutation(work, isUpload, (outcome) => {
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
    const problems = await forEachMutation(work, contract.isSubmit, (outcome) => {
      if (outcome instanceof Error) return outcome.message;
      const { started, error } = outcome;
      // An id counts, whatever else the answer says.
      if (started) return isStorable(started) ? undefined : 'not storable';
      if (!isGatewayError(error) || !error.extra.upstream) return `an error of ours: ${String(error)}`;
      return isStorable(error.message) ? undefined : 'a message that cannot be stored';
    });
    expect(problems).toEqual([]);
  });

  it('whatever a call to the callback URL has, it is refused or has no answer but that to a challenge', async () => {
    const url = 'https://gateway.example/internal/videos/video_1/callback?signature=a-b_c';
    const now = String(Math.round(Date.now() / 1_000));
    const headersOf = (value: string | undefined) =>
      value === undefined ? {} : Object.fromEntries(CALLBACK_HEADERS.map((name) => [name, value]));
    const before = subject.vendor.requests.length;
    for (const value of [undefined, '', now, '1e400', 'NaN', '__proto__', 'a;'.repeat(4_000), 'é', `v1,${now} v1,`])
      for (const body of ['', '[]', 'null', '\0', '{"challenge":{}}', '{"challenge":"a"}', '{"status":"completed"}']) {
        const headers = { ...headersOf(value), ...(value === now && { date: new Date().toUTCString() }) };
        const callback = { videoId: newId('video'), url, headers, body: Buffer.from(body) };
        const outcome = await Promise.resolve(subject.video.receiveCallback?.(callback, makeCall(subject.log))).catch(
          (error: unknown) => error as Error,
        );
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'invalid_signature' });
        else expect([undefined, { challenge: 'a' }]).toContainEqual(outcome);
      }
    // The keys of the vendor are read once, and nothing else is sent.
    expect(subject.vendor.requests.slice(before).filter(contract.isSubmit)).toEqual([]);
    expect(subject.vendor.requests.length - before).toBeLessThanOrEqual(1);
  });

  it('can be cancelled if the vendor can', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const answer = (await subject.video.cancel?.(makeRunning(receipt), makeCall(subject.log))) ?? 'unsupported';
    expect(answer !== 'unsupported').toBe(contract.isCancel !== undefined);
  });

  const { isCancel } = contract;
  if (isCancel) cancellationContract(isCancel);

  function cancellationContract(isSent: NonNullable<typeof isCancel>): void {
    /** A cancellation of a new job, and what the vendor has received for it. */
    async function cancelNew() {
      const { receipt, providerJobId } = await begin(subject, contract, { scenario: 'hang' });
      const before = subject.vendor.requests.length;
      const outcome = await Promise.resolve(subject.video.cancel?.(makeRunning(receipt), makeCall(subject.log))).catch(
        (error: unknown) => error as Error,
      );
      return { outcome, providerJobId, sent: subject.vendor.requests.slice(before).filter(isSent).length };
    }

    const later = { extra: { upstream: { retry: 'later' } } };

    it.each<[string, (reply: VendorReply) => VendorReply]>([
      ['the page of a proxy', () => ({ status: 200, body: '<html><body>Just a moment…</body></html>' })],
      ['text', () => ({ status: 200, body: 'OK' })],
      ['JSON that breaks off', () => ({ status: 200, body: '{"status": "canc' })],
      ['an answer that is cut off', () => ({ status: 200, body: { a: 'b' }, spoil: 'cut' })],
      ['a long answer', () => ({ status: 200, body: {}, spoil: 'long' })],
      ['a compressed one', () => ({ status: 200, body: {}, spoil: 'gzip' })],
      ['no answer', (reply) => ({ ...reply, drop: true })],
      ['a redirect', () => ({ status: 307, headers: { location: `${subject.vendor.cdnUrl}/elsewhere` } })],
      ['a page with status 404', () => ({ status: 404, body: '<html><body>Not found</body></html>' })],
      ['a page with status 400', () => ({ status: 400, body: '<html><body>Bad request</body></html>' })],
      ['an empty 500', () => ({ status: 500 })],
      ['a 503 that asks for a pause', () => ({ status: 503, headers: { 'retry-after': '1e308' }, body: {} })],
    ])('%s is no answer to a cancellation', async (_title, alter) => {
      subject.vendor.alterAnswers((reply, request) => (isSent(request) ? alter(reply) : reply));
      const { outcome, sent } = await cancelNew().finally(() => subject.vendor.alterAnswers());
      expect(outcome).toMatchObject(later);
      expect(sent).toBe(1);
    });

    it("the vendor's own error is no cancellation, also with a status of success", async () => {
      let refusal: unknown;
      subject.vendor.alterAnswers((reply, request) => {
        if (contract.isSubmit(request)) refusal = reply.body;
        return reply;
      });
      await submit(subject, contract, { scenario: 'invalid' });
      subject.vendor.alterAnswers((reply, request) => (isSent(request) ? { status: 200, body: refusal } : reply));
      const { outcome } = await cancelNew().finally(() => subject.vendor.alterAnswers());
      expect(outcome).toMatchObject(later);
    });

    if (contract.cancelNamesJob)
      it('an answer about another job is no cancellation', async () => {
        const other = await begin(subject, contract, { scenario: 'hang' });
        const otherId = other.providerJobId ?? '';
        let ownId: string | undefined;
        subject.vendor.alterAnswers((reply, request) => {
          if (contract.isSubmit(request)) ownId = undefined;
          else
            ownId ??= decodeURIComponent(request.path)
              .split('/')
              .find((part) => part.length === otherId.length);
          const text = JSON.stringify(reply.body) ?? '';
          return contract.isSubmit(request) || ownId === undefined
            ? reply
            : { ...reply, body: text === '' ? undefined : text.replaceAll(ownId, otherId) };
        });
        const { outcome, providerJobId } = await cancelNew().finally(() => subject.vendor.alterAnswers());
        expect([ownId, otherId === ownId]).toEqual([providerJobId, false]);
        expect(outcome).toMatchObject(later);
      });

    it('whatever the fields of the answer to a cancellation have, it has an outcome', async () => {
      const work = async () => (await cancelNew()).outcome;
      const isAnswered = (request: Parameters<typeof isSent>[0]) => !contract.isSubmit(request);
      subject.vendor.alterAnswers();
      const { outcome } = await cancelNew();
      expect(['cancelled', 'requested']).toContain(outcome);
      if (!(await answersWithFields(isAnswered))) return;
      const problems = await forEachMutation(work, isAnswered, (ended) => {
        if (ended instanceof Error) return problemOf(ended);
        return ['cancelled', 'requested', 'too_late'].includes(String(ended))
          ? undefined
          : `the outcome ${String(ended)}`;
      });
      expect(problems).toEqual([]);
    });

    /** Has an answer to a cancellation fields at all? */
    async function answersWithFields(isMeant: (request: Parameters<typeof isSent>[0]) => boolean): Promise<boolean> {
      let has = false;
      subject.vendor.alterAnswers((reply, request) => {
        if (isMeant(request) && isObject(contentOf(reply))) has = true;
        return reply;
      });
      await cancelNew().finally(() => subject.vendor.alterAnswers());
      return has;
    }
  }
}
