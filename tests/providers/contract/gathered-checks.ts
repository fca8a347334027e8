import { expect, it } from 'vitest';
import type { Json } from '../../../lib/domain/json';
import type { FakeVideoVendor, VendorRequest } from '../../support/upstreams/fake-video-vendor';
import { makeRunning } from './video';
import { begin, type SharedSubject, type VendorContract } from '../support/vendor-subject';

/** For vendors that answer about several jobs in one request; `jobsOf` reads how many a request asks about. */
export function gatheredChecksContract(
  subject: SharedSubject<FakeVideoVendor>,
  contract: VendorContract,
  jobsOf: (request: VendorRequest) => number,
): void {
  /** How many jobs each request asked about while these are checked at the same time. */
  async function check(receipts: readonly Json[]) {
    const before = subject.vendor.requests.length;
    const answers = await Promise.all(
      receipts.map((receipt) => subject.check(makeRunning(receipt)).catch((error: unknown) => error as Error)),
    );
    return { answers, asked: subject.vendor.requests.slice(before).map(jobsOf) };
  }
  const beginMany = async (...scenarios: readonly (string | undefined)[]) => {
    const receipts: Json[] = [];
    for (const scenario of scenarios)
      receipts.push((await begin(subject, contract, scenario === undefined ? {} : { scenario })).receipt);
    return receipts;
  };

  it('are one request for jobs that are checked at the same time', async () => {
    const { answers, asked } = await check(await beginMany('hang', 'hang', 'hang'));
    expect(asked).toEqual([3]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: expect.stringMatching(/^(queued|in_progress)$/) });
  });

  it('are at most 50 jobs a request', async () => {
    const receipts = await beginMany(...Array.from({ length: 60 }, () => 'hang'));
    const { asked } = await check(receipts);
    expect(asked.toSorted((a, b) => a - b)).toEqual([10, 50]);
  });

  it('ask alone about a job that the common answer does not have', async () => {
    const [known = null] = await beginMany('hang');
    const { answers, asked } = await check([known, subject.video.unknownJob ?? null]);
    expect(asked).toEqual([2, 1]);
    expect(answers[0]).toMatchObject({ status: expect.stringMatching(/^(queued|in_progress)$/) });
  });

  it('ask alone about each where the common request is refused', async () => {
    const { answers, asked } = await check(await beginMany('poll500:1', 'hang'));
    expect(asked).toEqual([2, 1, 1]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: expect.stringMatching(/^(queued|in_progress)$/) });
  });

  it('end each with its own job', async () => {
    const receipts = await beginMany(undefined, 'hang');
    const ends = new Set<string>();
    for (let round = 0; round < 8; round += 1)
      for (const answer of (await check(receipts)).answers) if ('status' in answer) ends.add(answer.status);
    expect(ends).toContain('completed');
    expect((await check(receipts)).answers.map((answer) => ('status' in answer ? answer.status : answer))).toEqual([
      'completed',
      'in_progress',
    ]);
  });
}
