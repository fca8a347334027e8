import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { ErrorCode } from '../../../lib/domain/error-rules';
import type { UpstreamOutcome } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import type { Json } from '../../../lib/domain/json';
import type { ProviderDefinition, ProviderDeps } from '../../../lib/domain/provider';
import type {
  OrderMedia,
  RunningVideo,
  StartedVideo,
  VideoBinding,
  VideoOrder,
  VideoProgress,
  VideoProvider,
  VideoStart,
} from '../../../lib/domain/video';
import { createMediaSource } from '../../../lib/net/media-source';
import { parseCidrs } from '../../../lib/net/public-address';
import { createRemoteFiles } from '../../../lib/net/remote-files';
import { createOutbound } from '../../../lib/net/safe-fetch';
import { recordLog, type RecordedLog } from '../../support/log';
import { PICTURE } from '../../support/media-bytes';
import { probeHere } from '../../support/probe';
import type { FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';
import { thinkingSigner } from './messages';
import { makeCall, makeRunning } from '../contract/video';

// A provider in front of the fake of its vendor, and orders for it.

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
  /** The same with credentials that the fake refuses; by default every setting but the URLs is changed. */
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
  /** Is a request whose access token was refused sent once more with another one? */
  readonly renewsToken?: true;
  /** The answers to polls have no id of their job. */
  readonly pollsNameNoJob?: true;
  /** The request that cancels a job; absent if the vendor cannot cancel. */
  readonly isCancel?: (request: FakeVideoVendor['requests'][number]) => boolean;
  /** The answers to a cancellation, or to the poll before it, have the id of the job. */
  readonly cancelNamesJob?: true;
  /** An order with media that are uploaded before its submit; absent if none are. */
  readonly uploads?: OrderChange;
  /** Files come inside the vendor's answers, so the origin of the results has none. */
  readonly inlineFiles?: true;
}
export interface VendorSubject {
  readonly vendor: FakeVideoVendor;
  readonly video: VideoProvider;
  readonly log: RecordedLog;
  close(): Promise<void>;
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
  let failures = 0;
  for (let check = 0; check < limit; check += 1) {
    try {
      const running = makeRunning(JSON.parse(JSON.stringify(current)) as Json, {
        startedAt: new Date(Date.now() - 120_000),
        failures,
      });
      const progress = await video.check(running, makeCall(log));
      words.push(progress.status);
      failures = 0;
      if (progress.status === 'completed' || progress.status === 'failed') return { end: progress, words, errors };
      if (progress.receipt !== undefined) current = progress.receipt;
    } catch (error) {
      errors.push(error);
      failures += 1;
    }
  }
  return { end: undefined, words, errors };
}
export const firstFrame: OrderMedia = { role: 'first_frame', url: PICTURE };
export const lastFrame: OrderMedia = { role: 'last_frame', url: PICTURE };
