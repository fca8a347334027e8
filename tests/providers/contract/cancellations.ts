import { expect, it } from 'vitest';
import { isObject } from '../../../lib/domain/json';
import type { VendorReply } from '../../support/upstreams/fake-video-vendor';
import { begin, submit, type VendorContract, type VendorSubject } from '../support/vendor-subject';
import { contentOf, forEachMutation, problemOf } from './answer-mutations';
import { makeCall, makeRunning } from './video';

// Cancellations that the vendor answers in ways that no documentation has.

export function cancellationsContract(subject: VendorSubject, contract: VendorContract): void {
  it('can be cancelled if the vendor can', async () => {
    const { receipt } = await begin(subject, contract, { scenario: 'hang' });
    const answer = (await subject.video.cancel?.(makeRunning(receipt), makeCall(subject.log))) ?? 'unsupported';
    expect(answer !== 'unsupported').toBe(contract.isCancel !== undefined);
  });

  if (!contract.isCancel) return;
  const isSent = contract.isCancel;

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
    const problems = await forEachMutation({ subject, contract }, work, isAnswered, (ended) => {
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
