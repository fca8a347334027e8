import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapVideoBindings, withBindings } from '../../../lib/catalog/binding-facts';
import { systemClock, type Clock } from '../../../lib/domain/clock';
import type { ErrorCode } from '../../../lib/domain/error-rules';
import { isGatewayError, type UpstreamOutcome } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import type { Json } from '../../../lib/domain/json';
import type { VideoModel } from '../../../lib/domain/model';
import type { ProviderDefinition, ProviderDeps } from '../../../lib/domain/provider';
import type {
  FinishedVideo,
  OrderMedia,
  RunningVideo,
  StartedVideo,
  VideoBinding,
  VideoOrder,
  VideoProgress,
  VideoProvider,
  VideoStart,
} from '../../../lib/domain/video';
import { openProviderFile } from '../../../lib/videos/open-provider-file';
import { createMediaSource } from '../../../lib/net/media-source';
import { parseCidrs } from '../../../lib/net/public-address';
import { createRemoteFiles } from '../../../lib/net/remote-files';
import { createOutbound } from '../../../lib/net/safe-fetch';
import { videoModels } from '../../lib/catalog/video-models';
import { createTestClock } from '../../support/clock';
import { recordLog, type RecordedLog } from '../../support/log';
import { PICTURE } from '../../support/media-bytes';
import { probeHere } from '../../support/probe';
import { RESULT, type FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';
import { thinkingSigner } from '../support/messages';
import { makeCall, makeRunning, readBody, videoContract, type VideoSubject } from './video';

// The contract of providers in front of a remote video vendor: `videoContract`, and beyond it that nothing is paid twice,
// nothing leaks, and every answer of the vendor, honest or not, becomes the right outcome. The scenarios are those of
// `fake-video-vendor.ts`.

/** A refused submit: the scenario, and what it must become. */
export interface Refusal {
  readonly scenario: string;
  readonly code: ErrorCode;
  readonly retry: UpstreamOutcome['retry'];
}

export interface VendorContract {
  readonly definition: ProviderDefinition;
  readonly startVendor: () => Promise<FakeVideoVendor>;
  /** The variables that lead to the fake, with its credentials. */
  readonly settings: (vendor: FakeVideoVendor) => Readonly<Record<string, string>>;
  /** The same with credentials that the fake refuses; by default every setting but the addresses is changed. */
  readonly wrongSettings?: (vendor: FakeVideoVendor) => Readonly<Record<string, string>>;
  readonly binding: VideoBinding;
  readonly order?: Partial<VideoOrder>;
  /** Is this a request that can begin paid work? */
  readonly isSubmit: (request: FakeVideoVendor['requests'][number]) => boolean;
  /** The body of a submit that is not JSON, as it was passed to `submitting`. */
  readonly bodyOf?: (request: FakeVideoVendor['requests'][number]) => Promise<unknown>;
  /** Refusals in addition to those that every fake has. */
  readonly refusals?: readonly Refusal[];
  /** Is content refused by a job that fails, and not by its submit? */
  readonly moderatesLater?: true;
  /** May a submit have begun that the vendor could not take? Otherwise it says that nothing has. */
  readonly unavailableMayHaveBegun?: true;
  /**
   * What becomes of the reference of a finished file before the file is deleted: `renewable` is a link that ends and for
   * which the vendor gives a new one, `permanent` is valid as long as the file. Absent: a link that ends for good.
   */
  readonly reference?: 'renewable' | 'permanent';
  /** Files come inside the vendor's answers, so the origin of the results has none. */
  readonly inlineFiles?: true;
}

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

export interface VendorSubject {
  readonly vendor: FakeVideoVendor;
  readonly video: VideoProvider;
  readonly log: RecordedLog;
  close(): Promise<void>;
}

/** Settings with invalid credentials. */
function wrong(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, /^https?:/.test(value) ? value : `wrong${value.slice(5)}`]),
  );
}

/** The provider with real media and real files, in front of its fake. */
export async function makeVendorSubject(
  contract: Pick<VendorContract, 'definition' | 'startVendor' | 'settings'>,
  change: Partial<ProviderDeps> = {},
): Promise<VendorSubject> {
  const vendor = await contract.startVendor();
  const log = recordLog();
  const outboundDeps = {
    allow: parseCidrs(['127.0.0.0/8']),
    userAgent: 'Patchbay/test',
    log,
    clock: systemClock,
  };
  const outbound = createOutbound(outboundDeps);
  const files = createRemoteFiles(outboundDeps);
  const media = createMediaSource({ outbound, openOwn: async () => undefined, probe: probeHere });
  const provider = contract.definition.create({
    settings: contract.settings(vendor),
    dataDir: '/nowhere',
    clock: systemClock,
    log,
    cores: 1,
    media,
    files,
    probe: probeHere,
    thinkingSigner,
    startWorker: () => {
      throw new Error('A vendor needs no worker.');
    },
    ...change,
  });
  if (!provider.video) throw new Error('The provider has no videos.');
  return {
    vendor,
    video: provider.video,
    log,
    async close() {
      await provider.close?.();
      await Promise.all([files.close(), outbound.close(), vendor.close()]);
    },
  };
}

/** The subject of the tests of a file or a group. */
export interface SharedSubject<Vendor extends FakeVideoVendor> extends VendorSubject {
  readonly vendor: Vendor;
  check(running: RunningVideo): Promise<VideoProgress>;
  /** Undefined if the provider cannot cancel. */
  cancel(running: RunningVideo): ReturnType<NonNullable<VideoProvider['cancel']>> | undefined;
}

/** Makes one subject for all tests of the file or the group that calls this, and closes it after them. */
export function useVendorSubject<Vendor extends FakeVideoVendor>(
  contract: Omit<VendorContract, 'startVendor'> & { readonly startVendor: () => Promise<Vendor> },
  change: Partial<ProviderDeps> = {},
): SharedSubject<Vendor> {
  let vendor: Vendor;
  let subject: VendorSubject;
  beforeAll(async () => {
    vendor = await contract.startVendor();
    subject = await makeVendorSubject({ ...contract, startVendor: async () => vendor }, change);
  });
  afterAll(() => subject.close());
  return {
    get vendor() {
      return vendor;
    },
    get video() {
      return subject.video;
    },
    get log() {
      return subject.log;
    },
    check: (running) => subject.video.check(running, makeCall(subject.log)),
    cancel: (running) => subject.video.cancel?.(running, makeCall(subject.log)),
    close: () => subject.close(),
  };
}

export interface Submission {
  /** Our id of the video. */
  readonly videoId: string;
  readonly started: StartedVideo | undefined;
  readonly error: unknown;
  /** The bodies that were passed to `submitting`. */
  readonly bodies: readonly unknown[];
  /** The number of submits that the vendor had received when `submitting` was called. */
  readonly submitsBefore: number;
  /** The submits of this start. */
  readonly submits: readonly FakeVideoVendor['requests'][number][];
}

export function makeOrder(contract: Pick<VendorContract, 'order'>, change: Partial<VideoOrder> = {}): VideoOrder {
  return {
    kind: 't2v',
    prompt: 'A paper boat on a quiet river',
    seconds: 5,
    resolution: '720p',
    aspectRatio: '16:9',
    width: 1280,
    height: 720,
    fps: 24,
    audio: false,
    media: [],
    parameters: {},
    ...contract.order,
    ...change,
  };
}

/** A model of the catalog, and how one provider serves it. */
export interface CatalogBinding {
  readonly model: VideoModel;
  readonly binding: VideoBinding;
}

/** The bindings of this provider in the catalog, without those of models that their vendor has shut down. */
export function catalogBindings({ id }: ProviderDefinition): readonly CatalogBinding[] {
  const active = videoModels.filter(({ deactivatedAt }) => deactivatedAt === undefined);
  return active.flatMap((model) =>
    model.bindings.filter(({ providerId }) => providerId === id).map((binding) => ({ model, binding })),
  );
}

/** The same as these settings can order them, with the models as they are then. */
export function bindingsFor(
  definition: ProviderDefinition,
  settings: ProviderDeps['settings'],
): readonly CatalogBinding[] {
  return catalogBindings(definition).flatMap(({ model, binding: whole }) =>
    mapVideoBindings(
      [withBindings(model, [whole])],
      (binding, { video: { kind } }) => definition.narrow?.(binding, kind, settings) ?? binding,
    ).flatMap((narrowed) =>
      narrowed.capability === 'video'
        ? narrowed.bindings
            // These credentials cannot order the model.
            .filter(({ resolutions }) => resolutions?.length !== 0)
            .map((binding) => ({ model: narrowed, binding }))
        : [],
    ),
  );
}

/** A binding of this provider with that upstream model. */
export function bindingOf(definition: ProviderDefinition, modelName: string): VideoBinding {
  const [found] = catalogBindings(definition);
  if (!found) throw new Error(`The catalog has no binding of ${definition.id}.`);
  return { ...found.binding, modelName };
}

export type OrderChange = Partial<VideoOrder> & { readonly scenario?: string; readonly binding?: VideoBinding };

/** A start in live mode; the scenario is a marker in the prompt. */
export function makeStart(
  contract: Pick<VendorContract, 'order' | 'binding'>,
  { scenario, binding = contract.binding, ...order }: OrderChange = {},
): VideoStart {
  const marker = scenario === undefined ? '' : ` [[${scenario}]]`;
  return {
    videoId: newId('video'),
    order: makeOrder(contract, {
      ...order,
      prompt: `${order.prompt ?? contract.order?.prompt ?? 'A paper boat'}${marker}`,
    }),
    binding,
    owner: { orgId: newId('org'), mode: 'live' },
    submitting: async () => {},
  };
}

/** Starts a video and records everything that happened on the way. */
export async function submit(
  { video, vendor, log }: VendorSubject,
  contract: Pick<VendorContract, 'order' | 'binding' | 'isSubmit'>,
  change: OrderChange = {},
  options: { readonly signal?: AbortSignal; readonly refuse?: Error; readonly callbackUrl?: string } = {},
): Promise<Submission> {
  const before = vendor.requests.length;
  const bodies: unknown[] = [];
  let submitsBefore = 0;
  const countSubmits = () => vendor.requests.slice(before).filter(contract.isSubmit);
  const start: VideoStart = {
    ...makeStart(contract, change),
    ...(options.callbackUrl !== undefined && { callbackUrl: options.callbackUrl }),
    async submitting(body) {
      bodies.push(body);
      submitsBefore = countSubmits().length;
      if (options.refuse) throw options.refuse;
    },
  };
  const outcome = await video.start(start, makeCall(log, options.signal)).then(
    (started) => ({ started, error: undefined }),
    (error: unknown) => ({ started: undefined, error }),
  );
  return { ...outcome, videoId: start.videoId, bodies, submitsBefore, submits: countSubmits() };
}

/** Starts a video that the vendor must accept. */
export async function begin(
  subject: VendorSubject,
  contract: Parameters<typeof submit>[1],
  change: OrderChange = {},
): Promise<StartedVideo> {
  const { started, error } = await submit(subject, contract, change);
  if (!started) throw error;
  return started;
}

/** Checks until the end, at most `limit` times. Failed checks are counted. */
export async function pollToEnd(
  { video, log }: VendorSubject,
  receipt: Json,
  limit = 12,
): Promise<{ readonly end: VideoProgress | undefined; readonly words: string[]; readonly errors: unknown[] }> {
  const words: string[] = [];
  const errors: unknown[] = [];
  let current = receipt;
  for (let check = 0; check < limit; check += 1) {
    try {
      const running = makeRunning(JSON.parse(JSON.stringify(current)) as Json, {
        startedAt: new Date(Date.now() - 120_000),
        failures: 0,
      });
      const progress = await video.check(running, makeCall(log));
      words.push(progress.status);
      if (progress.status === 'completed' || progress.status === 'failed') return { end: progress, words, errors };
      if (progress.receipt !== undefined) current = progress.receipt;
    } catch (error) {
      errors.push(error);
    }
  }
  return { end: undefined, words, errors };
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
    errors: pollErrors,
    has: ['endless', 'moderated', 'stall', 'works'],
  });

  describe(`${name} meets the contract of remote video vendors`, () => {
    const subject = useVendorSubject(contract);

    const beginWith = (scenario?: string) => begin(subject, contract, scenario === undefined ? {} : { scenario });
    const check = async (scenario: string, ageSeconds = 0) => {
      const { receipt } = await beginWith(scenario);
      const startedAt = new Date(Date.now() - ageSeconds * 1_000);
      return subject.video.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));
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
      expect(submits.length).toBeLessThanOrEqual(1);
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

    it('a video that the vendor does not know is checked again in its first minute, and has failed after it', async () => {
      await expect(check('poll404', 30)).rejects.toMatchObject({ extra: { upstream: { retry: 'later' } } });
      expect(await check('poll404', 90)).toMatchObject({ status: 'failed', code: 'generation_failed' });
    });

    it('refused credentials of a check name our credentials', async () => {
      await expect(check('poll401')).rejects.toMatchObject({
        code: 'upstream_auth_failed',
        extra: { upstream: { retry: 'later' } },
      });
    });

    it('the check of a job that no account has tells right credentials from wrong ones, at no cost', async () => {
      const startedAt = new Date(Date.now() - 3_600_000);
      const submits = () => subject.vendor.requests.filter(contract.isSubmit).length;
      const before = submits();
      const verify = ({ video, log }: VendorSubject) =>
        video.check(makeRunning(video.unknownJob!, { startedAt }), makeCall(log));
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

/** The values of the variables that are keys. */
export function secretsOf(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    /KEY|TOKEN|SECRET|CREDENTIAL/.test(name) ? [value] : [],
  );
}

/** JSON, also of bills, which have bigints. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}

/** Bodies never have inline media in full: what was passed to `submitting` may have them only as data URLs. */
export function inlineMediaOf(value: unknown): string[] {
  if (typeof value === 'string')
    return !value.startsWith('data:') && /^[A-Za-z0-9+/]{60,}={0,2}$/.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(inlineMediaOf);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(inlineMediaOf);
  return [];
}

export const firstFrame: OrderMedia = { role: 'first_frame', url: PICTURE };
export const lastFrame: OrderMedia = { role: 'last_frame', url: PICTURE };
