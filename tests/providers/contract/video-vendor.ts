import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../lib/domain/clock';
import type { ErrorCode } from '../../../lib/domain/error-rules';
import { isGatewayError, type UpstreamOutcome } from '../../../lib/domain/errors';
import type { Json } from '../../../lib/domain/json';
import type { FinishedVideo, VideoProvider } from '../../../lib/domain/video';
import { openProviderFile } from '../../../lib/videos/open-provider-file';
import { createTestClock } from '../../support/clock';
import { RESULT } from '../../support/upstreams/fake-video-vendor';
import { makeCall, makeRunning, readBody, videoContract, type VideoSubject } from './video';
import { cancellationsContract } from './cancellations';
import { hostileCallbacksContract } from './hostile-callbacks';
import { impossibleAnswersContract } from './impossible-answers';
import { secretsOf } from '../support/leaks';
import {
  begin,
  makeStart,
  makeVendorSubject,
  pollToEnd,
  submit,
  useVendorSubject,
  type OrderChange,
  type Refusal,
  type VendorContract,
  type VendorSubject,
} from '../support/vendor-subject';

// The contract of providers in front of a remote video vendor: `videoContract`, and beyond it that nothing is paid twice,
// nothing leaks, and every answer of the vendor, honest or not, becomes the right outcome. The scenarios are those of
// `fake-video-vendor.ts`.

/** A code of a vendor that refuses a submit, and what it must become. */
export type RefusalCode = readonly [code: number, error: ErrorCode, retry: UpstreamOutcome['retry']];

/** Of a vendor whose answers have a code: the scenario `code:N` answers a submit with N and begins nothing. */
export function refusalCodesContract(
  { subject, contract }: { subject: () => VendorSubject; contract: VendorContract },
  refused: readonly RefusalCode[],
  mayHaveBegun: readonly number[],
): void {
  it.each(refused)('a submit with the code %i is %s and has begun nothing', async (code, expected, retry) => {
    const { error, submits } = await submit(subject(), contract, { scenario: `code:${code}` });
    expect(error).toMatchObject({ code: expected, extra: { upstream: { retry, started: 'no' } } });
    expect(submits).toHaveLength(1);
  });

  it.each(mayHaveBegun)('a submit with the code %i, which is no refusal, may have begun', async (code) => {
    const { error, submits } = await submit(subject(), contract, { scenario: `code:${code}` });
    expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
    expect(submits).toHaveLength(1);
  });
}

const refusedContent: Refusal = { scenario: 'moderated-input', code: 'content_policy_violation', retry: 'never' };
const unavailable: Refusal = { scenario: 'unavailable', code: 'upstream_invalid_response', retry: 'elsewhere' };
const refusals: readonly Refusal[] = [
  { scenario: 'invalid', code: 'upstream_rejected', retry: 'never' },
  { scenario: 'balance', code: 'upstream_auth_failed', retry: 'elsewhere' },
  { scenario: 'auth', code: 'upstream_auth_failed', retry: 'elsewhere' },
  { scenario: 'ratelimit:1', code: 'rate_limit_exceeded', retry: 'elsewhere' },
];

/** Of a scenario that fails a job after its acceptance, the code of the failed video. */
const failures = {
  fail: 'generation_failed',
  'moderated-output': 'content_policy_violation',
  nourl: 'generation_failed',
};

const pollErrors = [
  'poll401',
  'poll429',
  'poll500',
  'poll503',
  'poll-html',
  'poll-error-200',
  'poll-drop',
  'poll-hang',
  'cut-poll',
  'bad-json-poll',
  'gzip-poll',
  'long-poll',
];

/** Settings with invalid credentials. */
function wrong(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, /^https?:/.test(value) ? value : `wrong${value.slice(5)}`]),
  );
}

/**
 * The subject of `videoContract`. Time passes only while the vendor leaves a poll without an answer, so that nothing else
 * times out on a busy machine.
 */
async function makeVideoSubject(contract: VendorContract): Promise<VideoSubject> {
  const clock = createTestClock();
  // What is shorter than any time limit passes by itself, such as the wait of a check for others.
  const after: Clock['after'] = (ms, run) => (ms < 1_000 ? systemClock : clock).after(ms, run);
  const { vendor, video, log, close } = await makeVendorSubject(contract, { clock: { ...clock, after } });
  const isHanging = () => vendor.jobs.some(({ scenario, polls }) => scenario?.name === 'poll-hang' && polls === 1);
  const ticker = setInterval(() => isHanging() && void clock.advance(1_000), 20);
  let starts = 0;
  const start = (change?: OrderChange) =>
    makeStart(contract, { ...change, prompt: `${change?.prompt ?? 'A paper boat'} no. ${(starts += 1)}.` });
  return {
    provider: video,
    log,
    makeStart: start,
    makeFailingStart: (scenario) => start({ scenario }),
    makeModeratedStart: () => start({ scenario: 'moderated-output' }),
    makeEndlessStart: () => start({ scenario: 'hang' }),
    pause: async () => {},
    stall: () => vendor.stall(),
    countWorks: async ({ order }) =>
      vendor.jobs.filter(({ body }) => JSON.stringify(body).includes(order.prompt)).length,
    async dispose() {
      clearInterval(ticker);
      await close();
    },
  };
}

export function videoVendorContract(name: string, contract: VendorContract): void {
  videoContract(name, () => makeVideoSubject(contract), {
    errors: pollErrors.map((error) => (error === 'poll401' && contract.renewsToken ? 'poll401:2' : error)),
    has: ['endless', 'moderated', 'stall', 'works'],
  });

  describe(`${name} meets the contract of remote video vendors`, () => {
    const subject = useVendorSubject(contract);

    const beginWith = (scenario?: string) => begin(subject, contract, scenario === undefined ? {} : { scenario });
    const check = async (scenario: string, ageSeconds = 0, failures = 0) => {
      const { receipt } = await beginWith(scenario);
      const startedAt = new Date(Date.now() - ageSeconds * 1_000);
      return subject.video.check(makeRunning(receipt, { startedAt, failures }), makeCall(subject.log));
    };
    const finish = async (scenario?: string): Promise<FinishedVideo> => {
      const { end } = await pollToEnd(subject, (await beginWith(scenario)).receipt);
      if (end?.status !== 'completed') throw new Error(`The video did not complete: ${textOf(end)}`);
      return end.video;
    };
    const open = (file: Json, part?: Parameters<VideoProvider['open']>[1]) =>
      subject.video.open(file, part, makeCall(subject.log));

    it('passes the point of no return once, with the body, before its one submit', async () => {
      const { started, bodies, submitsBefore, submits } = await submit(subject, contract);
      expect(started).toBeDefined();
      expect([bodies.length, submitsBefore, submits.length]).toEqual([1, 0, 1]);
      const [request] = submits;
      expect(bodies[0]).toEqual(request && contract.bodyOf ? await contract.bodyOf(request) : request?.json);
    });

    it('sends nothing that costs money if the attempt was superseded', async () => {
      const { error, submits } = await submit(subject, contract, {}, { refuse: new Error('superseded') });
      expect(error).toBeDefined();
      expect(submits).toEqual([]);
    });

    it.each([
      ...refusals,
      ...(contract.moderatesLater ? [] : [refusedContent]),
      ...(contract.unavailableMayHaveBegun ? [] : [unavailable]),
      ...(contract.refusals ?? []),
    ])('a submit refused by $scenario is $code and has begun nothing', async (refusal) => {
      const { error, submits } = await submit(subject, contract, { scenario: refusal.scenario });
      expect(error).toMatchObject({
        code: refusal.code,
        extra: { upstream: { retry: refusal.retry, started: 'no' } },
      });
      expect(submits.length).toBeLessThanOrEqual(contract.renewsToken && refusal.scenario === 'auth' ? 2 : 1);
      if (isGatewayError(error)) expect(error.message).not.toContain('paper boat');
    });

    it.each([
      'drop',
      'submit-html',
      'submit-page',
      'submit-error-200',
      'submit-empty',
      'submit-redirect',
      'submit-500',
      'cut-submit',
      'bad-json-submit',
      'gzip-submit',
      'long-submit',
      ...(contract.unavailableMayHaveBegun ? [unavailable.scenario] : []),
    ])('a submit that ends with %s may have begun, and is not repeated', async (scenario) => {
      const { error, submits } = await submit(subject, contract, { scenario });
      expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
      expect(submits).toHaveLength(1);
    });

    impossibleAnswersContract(subject, contract);
    cancellationsContract(subject, contract);
    hostileCallbacksContract(subject, contract);

    it('has 30 seconds for the answer to a submit, which may have begun and is not repeated', async () => {
      const clock = createTestClock();
      const waiting = await makeVendorSubject(contract, { clock });
      const pending = submit(waiting, contract, { scenario: 'slow-submit' });
      const submits = () => waiting.vendor.requests.filter(contract.isSubmit).length;
      await expect.poll(submits).toBe(1);
      await clock.advance(29_999);
      expect(clock.pending()).toBeGreaterThan(0);
      await clock.advance(1);
      const { error } = await pending;
      expect(error).toMatchObject({ code: 'upstream_timeout', extra: { upstream: { started: 'maybe' } } });
      expect(submits()).toBe(1);
      await waiting.close();
    });

    it('a submit without an answer may have begun when it is aborted', async () => {
      const stop = new AbortController();
      const pending = submit(subject, contract, { scenario: 'slow-submit' }, { signal: stop.signal });
      await expect.poll(() => subject.vendor.requests.filter(contract.isSubmit).length).toBeGreaterThan(0);
      setTimeout(() => stop.abort(), 100);
      const { error, submits } = await pending;
      // Without an outcome, the point of no return decides.
      if (isGatewayError(error) && error.extra.upstream)
        expect(error.extra.upstream).toMatchObject({ started: 'maybe' });
      expect(submits.length).toBeLessThanOrEqual(1);
    });

    it('goes from queued over in progress to completed, with a receipt that survives JSON', async () => {
      const { words, end } = await pollToEnd(subject, (await beginWith()).receipt);
      expect(end?.status).toBe('completed');
      expect(words.slice(0, -1).every((word) => word === 'queued' || word === 'in_progress')).toBe(true);
    });

    it.each([
      ...Object.entries(failures),
      ...(contract.moderatesLater ? [[refusedContent.scenario, refusedContent.code] as const] : []),
    ])('a job that ends with %s is a failed video: %s', async (scenario, code) => {
      const { end } = await pollToEnd(subject, (await beginWith(scenario)).receipt);
      expect(end).toMatchObject({ status: 'failed', code, message: expect.stringMatching(/^[A-Z].{10,}\.$/s) });
    });

    it('a word that is not known ends nothing', async () => {
      const { words, end } = await pollToEnd(subject, (await beginWith('weird')).receipt);
      expect(end?.status).toBe('completed');
      expect(words.length).toBeGreaterThan(3);
    });

    it('a video that the vendor does not know is checked again in its first minute, and twice after it, before it has failed', async () => {
      const later = { extra: { upstream: { retry: 'later' } } };
      await expect(check('poll404', 30, 5)).rejects.toMatchObject(later);
      await expect(check('poll404', 90, 0)).rejects.toMatchObject(later);
      await expect(check('poll404', 90, 1)).rejects.toMatchObject(later);
      expect(await check('poll404', 90, 2)).toMatchObject({ status: 'failed', code: 'generation_failed' });
    });

    it('refused credentials of a check name our credentials', async () => {
      await expect(check('poll401:2')).rejects.toMatchObject({
        code: 'upstream_auth_failed',
        extra: { upstream: { retry: 'later' } },
      });
    });

    it('the check of a job that no account has tells right credentials from wrong ones, at no cost', async () => {
      const startedAt = new Date(Date.now() - 3_600_000);
      const submits = () => subject.vendor.requests.filter(contract.isSubmit).length;
      const before = submits();
      const verify = ({ video, log }: VendorSubject) =>
        video.check(makeRunning(video.unknownJob!, { startedAt, failures: 2 }), makeCall(log));
      expect(await verify(subject)).toMatchObject({ status: 'failed' });
      const stranger = await makeVendorSubject({
        ...contract,
        startVendor: async () => ({ ...subject.vendor, close: async () => {} }),
        settings: contract.wrongSettings ?? ((vendor) => wrong(contract.settings(vendor))),
      });
      await expect(verify(stranger)).rejects.toMatchObject({ code: 'upstream_auth_failed' });
      await stranger.close();
      expect(submits()).toBe(before);
    });

    it('the pause that a refused check asks for is the pause before the next', async () => {
      await expect(check('poll429')).rejects.toMatchObject({
        extra: { upstream: { retry: 'later', retryAfterMs: 7_000 } },
      });
    });

    const hasOrigin = contract.inlineFiles === undefined;
    /** Scenarios of files at the origin of the results. */
    const atOrigin = <Cases>(cases: readonly Cases[]) => (hasOrigin ? cases : []);

    it('the whole file comes from the origin of the results, if there is one, without credentials', async () => {
      const { file } = await finish();
      const before = subject.vendor.downloads.length;
      const content = await open(file);
      expect((await readBody(content)).equals(RESULT)).toBe(true);
      expect(subject.vendor.downloads.length > before).toBe(hasOrigin);
    });

    it.each([...atOrigin(['cdn-ignores-ranges', 'cdn-redirects']), undefined])(
      'a range of a file of %s is that range',
      async (scenario) => {
        const { file } = await finish(scenario);
        const content = await open(file, { start: 100, end: 1_099 });
        expect(content).toMatchObject({ status: 206, start: 100 });
        expect((await readBody(content)).equals(RESULT.subarray(100, 1_100))).toBe(true);
        expect((await open(file, 'head')).length).toBe(RESULT.length);
      },
    );

    it.each(
      atOrigin([
        ['gone', 'video_expired'],
        ['cdn-html', 'upstream_content_unavailable'],
        ['cdn-500', 'upstream_content_unavailable'],
      ] as const),
    )('a file of %s is %s', async (scenario, code) => {
      const { file } = await finish(scenario);
      await expect(open(file)).rejects.toMatchObject({ code });
    });

    it.each(atOrigin(['cdn-reset', 'cdn-short']))('a file of %s ends with an error and not early', async (scenario) => {
      const { file } = await finish(scenario);
      await expect(open(file).then(readBody)).rejects.toThrow();
    });

    describe('when the links that the vendor has given are over', () => {
      const isRenewable = contract.reference === 'renewable';
      const isPermanent = contract.reference === 'permanent' || !hasOrigin;

      /** Opens a file as the archive and downloads do, after its link has ended. */
      async function openLate(receipt?: Json) {
        const begun = await beginWith();
        const { end } = await pollToEnd(subject, begun.receipt);
        if (end?.status !== 'completed') throw new Error(`The video did not complete: ${textOf(end)}`);
        const { file } = end.video;
        subject.vendor.expireLinks();
        const requests = subject.vendor.requests.length;
        const renewed: Json[] = [];
        const reading = openProviderFile(
          subject.video,
          { receipt: receipt ?? begun.receipt, file },
          undefined,
          makeCall(subject.log),
          async (reference) => renewed.push(reference),
        ).then(readBody);
        const outcome = await reading.then(
          (bytes) => bytes.equals(RESULT),
          (error: unknown) => (isGatewayError(error) ? error.code : error),
        );
        return { outcome, renewed, file, requests: subject.vendor.requests.slice(requests) };
      }

      it('a renewable reference is renewed once, the others never', async () => {
        const { outcome, renewed, file, requests } = await openLate();
        expect(subject.video.refresh !== undefined).toBe(isRenewable);
        expect(outcome).toBe(isRenewable || isPermanent ? true : 'upstream_content_unavailable');
        expect(renewed).toHaveLength(isRenewable ? 1 : 0);
        if (isRenewable) {
          expect(requests.filter(contract.isSubmit)).toEqual([]);
          expect(renewed[0]).not.toEqual(file);
          expect((await readBody(await open(renewed[0]!))).equals(RESULT)).toBe(true);
        }
      });

      if (isRenewable)
        it('and the vendor does not know the video any more, its file has expired', async () => {
          const { outcome, renewed } = await openLate(subject.video.unknownJob!);
          expect([outcome, renewed]).toEqual(['video_expired', []]);
        });
    });

    it('says when its file is deleted', async () => {
      const { expiresAt } = await finish();
      expect(expiresAt).toBeInstanceOf(Date);
    });

    it('leaks nothing: no key, media, prompt or callback in what is stored, shown or logged', async () => {
      const callbackUrl = 'https://gateway.example/callback?signature=sEcReT';
      const { bodies, started } = await submit(subject, contract, {}, { callbackUrl });
      const { end } = await pollToEnd(subject, started?.receipt ?? null);
      const kept = textOf([started, end, subject.log.lines]);
      expect(kept + JSON.stringify(bodies)).not.toContain('sEcReT');
      for (const secret of secretsOf(contract.settings(subject.vendor)))
        expect([kept, JSON.stringify(bodies)].some((text) => text.includes(secret))).toBe(false);
      expect(JSON.stringify(subject.log.lines)).not.toContain('paper boat');
      for (const { headers, query } of subject.vendor.downloads)
        expect([headers.authorization, query.get('key')]).toEqual([undefined, null]);
    });
  });
}

/** JSON, also of bills, which have bigints. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
