import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { Content, ContentPart } from './files';
import type { OrgId, VideoId } from './ids';
import type { Json } from './json';
import type { UnitPrice } from './money';

// A video from the order to the file. Nothing here depends on a provider, a database or HTTP.

export type VideoKind = 't2v' | 'i2v' | 'r2v' | 'video-edit' | 'start-end';
export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed';
export type Mode = 'live' | 'test';

/** The capabilities of a video model. Used by validation, pricing, the console's form and the documentation. */
export interface VideoFacts {
  readonly kind: VideoKind;
  /** The allowed durations of the output, in whole seconds. */
  readonly seconds: readonly number[];
  /** Absent for edits, whose duration is that of the source. */
  readonly defaultSeconds?: number;
  /** Resolution tiers, such as `720p`. */
  readonly resolutions: readonly string[];
  readonly defaultResolution: string;
  /** Empty when the source media decide the ratio. */
  readonly aspectRatios: readonly string[];
  /**
   * The ratios of the resolutions for which the bindings together do not make all of `aspectRatios`. Derived from the
   * bindings.
   */
  readonly ratiosOfTiers?: Readonly<Record<string, readonly string[]>>;
  readonly fps: { readonly default: number; readonly min?: number; readonly max?: number };
  readonly audio: 'always' | 'toggle' | 'none' | 'source' | 'bgm';
  /** Resolutions at which there is never sound, so that the parameter for it does not exist. */
  readonly silentResolutions?: readonly string[];
  /** Whether a video from a reference video never has sound, whatever the request says. */
  readonly silentWithVideo?: true;
  readonly media: MediaRule;
  /** Parameters of the specification that at least one binding supports. */
  readonly parameters: readonly string[];
  readonly rules: readonly VideoRule[];
  /** Seconds from the submission to the deadline. */
  readonly deadlineSeconds: number;
  /** The longest prompt, in characters (UTF-16 code units). */
  readonly promptCharacters: number;
  /** The longest `negative_prompt`, in characters. */
  readonly negativePromptCharacters: number;
  /** The largest `seed`; the smallest is 0. */
  readonly maxSeed: number;
  /** Edits: the allowed durations of the source; absent: not restricted. */
  readonly sourceSeconds?: SecondsRange;
  /** Edits: whether the duration cannot be chosen, because every binding follows the source. */
  readonly outputFollowsSource?: true;
}

/** Seconds, both ends included; may be fractions. */
export interface SecondsRange {
  readonly min: number;
  readonly max: number;
}

/** How many items of media the model accepts; `min > 0` makes them required. */
export interface MediaRule {
  readonly images?: { readonly min: number; readonly max: number };
  readonly videos?: { readonly min: number; readonly max: number };
  /** Whether images or videos are required, at least one in total (reference-to-video). */
  readonly eitherRequired?: boolean;
  readonly sourceVideo?: boolean;
}

/** A restricted combination: these resolutions only with these durations. */
export interface VideoRule {
  readonly resolutions: readonly string[];
  readonly seconds: readonly number[];
}

/** A form in which a provider takes media. `https`: a URL that it reads itself. */
export type MediaForm = 'https' | 'data' | 'base64' | 'bytes';

/**
 * How one provider serves one video model. A fact that is absent is the model's. A provider may have several bindings
 * of a model if they serve different resolutions; provider and upstream model together identify a binding.
 */
export interface VideoBinding extends BindingIdentity {
  readonly price: VideoPrice;
  /** Parameters that this provider takes for this model; a subset of the specification's names. */
  readonly parameters: readonly string[];
  /** The tiers that this binding serves, if they are fewer than the model's. `price` covers these only. */
  readonly resolutions?: readonly string[];
  /** The durations, if they are fewer than the model's. */
  readonly seconds?: readonly number[];
  /** The ratios, if they are fewer than the model's; empty: the ratio follows the media and cannot be chosen. */
  readonly aspectRatios?: readonly string[];
  /** Stated if this provider's rules differ from the model's; an empty list restricts no combination. */
  readonly rules?: readonly VideoRule[];
  /** Stated if this provider's audio differs from the model's: one always has sound, another can be silent. */
  readonly audio?: VideoFacts['audio'];
  /** How many images and reference videos the provider takes. It takes none of a kind that is absent. */
  readonly media?: Pick<MediaRule, 'images' | 'videos'>;
  /** Limits on the references together, in addition to the maximum of each kind. */
  readonly references?: {
    /** The maximum of images and videos together. */
    readonly together?: number;
    /** The maximum of images in a request with a video. */
    readonly imagesBesideVideo?: number;
  };
  /** Whether the provider also knows voices by name. Otherwise `reference_voice` must be the URL of a recording. */
  readonly voiceNames?: true;
  /** The forms in which the provider takes images and videos; absent: every form. */
  readonly mediaForms?: {
    readonly images?: readonly MediaForm[];
    readonly videos?: readonly MediaForm[];
  };
  readonly promptCharacters?: number;
  readonly negativePromptCharacters?: number;
  /** The longest prompt and the longest negative prompt in bytes of UTF-8, if the provider counts bytes. */
  readonly promptBytes?: number;
  readonly maxSeed?: number;
  readonly sourceSeconds?: SecondsRange;
  readonly deadlineSeconds?: number;
  /**
   * Edits: whether the output is as long as the source, at most the longest of the durations. `seconds` then has no
   * effect.
   */
  readonly outputFollowsSource?: true;
  /**
   * Edits: whether the source is cut if the request has fewer `seconds` than the source. Otherwise the output is as
   * long as the source.
   */
  readonly cutsSource?: true;
  /** Whether the provider does not moderate content, neither before nor after it works. */
  readonly unmoderated?: true;
  /**
   * The upstream name of another model of the same provider that takes the same requests. Used if the model is newer
   * than the provider's adapter.
   */
  readonly sameRequestAs?: string;
}

/**
 * Returns the upstream name of the model whose requests an adapter makes for this binding. The requests are sent to the
 * model of the binding.
 */
export function requestNameOf({ modelName, sameRequestAs }: Pick<VideoBinding, 'modelName' | 'sameRequestAs'>): string {
  return sameRequestAs ?? modelName;
}

/**
 * The price of a video. The first of the `rates` whose stated conditions all hold applies; a rate without conditions
 * always holds. `clip` prices do not depend on the duration. `extras` are added.
 */
export interface VideoPrice {
  readonly per: 'output_second' | 'input_plus_output_second' | 'clip';
  readonly rates: readonly VideoRate[];
  readonly extras?: readonly VideoPriceExtra[];
  /** Where the numbers come from, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}

/** A price for each image of the order after the first `free` ones. */
export interface VideoPriceExtra {
  readonly per: 'picture';
  readonly free: number;
  readonly usd: UnitPrice;
}

export interface VideoRate {
  readonly resolution?: string;
  readonly audio?: boolean;
  readonly seconds?: number;
  readonly option?: string;
  /** Holds for orders of one of these ratios, where the shape determines the number of pixels. */
  readonly aspectRatios?: readonly string[];
  /** Holds for orders with reference videos (true) or without them (false). */
  readonly withVideoInput?: boolean;
  /** Holds for orders with a reference voice. */
  readonly withVoice?: true;
  /**
   * Rates that bill the input: reference videos whose duration the caller did not state count as this many seconds, the
   * most that the provider takes. An edit always states it.
   */
  readonly inputSecondsIfUnstated?: number;
  /** The same for each reference video, if the provider limits each video and not their sum. */
  readonly inputSecondsOfEachIfUnstated?: number;
  /** Rates that bill the input: seconds beyond this number are not billed. */
  readonly inputSecondsAtMost?: number;
  /** Rates that bill the input: whether it counts as at least as long as the output. */
  readonly inputAtLeastOutput?: true;
  /** Overrides the price's own `per`. */
  readonly per?: VideoPrice['per'];
  /** Of a verified price: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly unverified?: true;
  readonly usd: UnitPrice;
}

/**
 * Returns the maximum number of seconds that this many reference videos have together; undefined if the price does not
 * state it.
 */
export function maxInputSeconds(
  { inputSecondsIfUnstated, inputSecondsOfEachIfUnstated }: VideoRate,
  videos: number,
): number | undefined {
  return inputSecondsOfEachIfUnstated === undefined ? inputSecondsIfUnstated : inputSecondsOfEachIfUnstated * videos;
}

export type MediaRole = 'first_frame' | 'last_frame' | 'reference_image' | 'reference_video' | 'source_video';

/** Returns the kind of media that a role needs. */
export function mediaKind(role: MediaRole): 'image' | 'video' {
  return role === 'source_video' || role === 'reference_video' ? 'video' : 'image';
}

/** One item of the caller's media: an https URL, a data URL, or a signed link of this installation. */
export interface OrderMedia {
  readonly role: MediaRole;
  /** Empty for a data URL of a video that has ended. */
  readonly url: string;
  /**
   * A signed link of this installation to the bytes of a data URL, for providers that take only https URLs. Set
   * for a start, if providers can reach this installation; never stored.
   */
  readonly publishedUrl?: string;
}

/** A validated, normalised request for a video. Plain JSON: it is stored with the video and survives a restart. */
export interface VideoOrder {
  readonly kind: VideoKind;
  readonly prompt: string;
  readonly seconds: number;
  readonly resolution: string;
  /** Absent when the model uses the ratio of its media. */
  readonly aspectRatio?: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly seed?: number;
  /** Whether the output will have sound. Part of the price if the model can be silent. */
  readonly audio: boolean;
  readonly media: readonly OrderMedia[];
  /** Edits: the source's duration as stated by the caller, in milliseconds; the price is fixed from it. */
  readonly inputMillis?: number;
  /** Whether the output is as long as the source, at most `seconds`. The provider then receives no duration. */
  readonly outputFollowsSource?: true;
  /** The other parameters that the model supports, with explicit defaults. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/** The input of a provider for starting a video. */
export interface VideoStart {
  /** Our id; a provider whose start is `repeatable` recognises it and never makes the same video twice. */
  readonly videoId: VideoId;
  /** The order as this binding supports it: made for this attempt from everything that the caller ordered. */
  readonly order: VideoOrder;
  readonly binding: VideoBinding;
  /** The organisation and mode that own the signed links of this installation that are used as media. */
  readonly owner: { readonly orgId: OrgId; readonly mode: Mode };
  /**
   * A URL of this installation that the provider may call when the progress of the video changes, so that it is
   * checked at once. Absent if providers cannot reach this installation. It is a secret between us and the provider, and
   * no part of the body that is passed to `submitting`.
   */
  readonly callbackUrl?: string;
  /** A test scenario of the sandbox; real providers never receive one. */
  readonly scenario?: string;
  /**
   * Called once and awaited, immediately before the one request that can begin paid work, with the body of that
   * request. It is the point of no return: an error before it means that nothing has begun, so that another provider
   * may be tried; an error after it that has no upstream outcome means that work may have begun. The body is stored
   * before this resolves. It contains no credentials; data URLs in it are shortened, and links to published media lose
   * their signatures; other inline media must be replaced by the caller. Rejects if this attempt has been superseded;
   * the provider then sends nothing.
   */
  submitting(body: unknown): Promise<void>;
}

/** A start whose response was lost, to be recovered. */
export interface LostStart extends Omit<VideoStart, 'submitting'> {
  /** The time just before its request was sent. */
  readonly submittedAt: Date;
  /** The body that `submitting` got, as it was stored: without signatures, and long texts are cut. */
  readonly sent: Json;
}

/** A call of a provider to the `callbackUrl` of a video. */
export interface ProviderCallback {
  readonly videoId: VideoId;
  /** The `callbackUrl`. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** The provider's acceptance. `receipt` has everything that later calls need; it is opaque to us. */
export interface StartedVideo {
  readonly receipt: Json;
  /** The provider's id of the work, for the operator and the search of the console. */
  readonly providerJobId?: string;
}

/** A started video, for the calls that follow. */
export interface RunningVideo {
  readonly videoId: VideoId;
  readonly receipt: Json;
  /** When the provider accepted it. Some upstreams do not know a new id in the first minute. */
  readonly startedAt: Date;
  /** How many checks in a row could not be made before this one. */
  readonly failures: number;
}

export interface VideoProvider {
  /**
   * Starts the work. The `upstream` outcome of a rejection says whether work may have started; without an outcome,
   * `VideoStart.submitting` decides.
   */
  start(start: VideoStart, call: Call): Promise<StartedVideo>;
  /** Whether `start` may be called again with the same video id after a crash. Otherwise it is never called twice. */
  readonly repeatable?: true;
  /**
   * Finds out by our id whether an earlier start with a lost response began. Only for upstreams that promise to find
   * work by an id of ours. Resolves to undefined if that is not known yet.
   */
  recover?(start: LostStart, call: Call): Promise<StartedVideo | 'not_started' | undefined>;
  /**
   * Resolves to `failed` only if the provider reported it. Rejects if the status could not be read; the runner then
   * checks again later, so that a 503 on a poll does not fail a video.
   */
  check(running: RunningVideo, call: Call): Promise<VideoProgress>;
  /**
   * Judges a call to `callbackUrl`, which only makes the next check due: its content is never believed. Resolves to the
   * JSON that the provider expects as the answer, if it expects one. Rejects with `invalid_signature` if the provider
   * signs its calls and has not signed this one. Absent: the provider does not sign; only it knows the URL.
   */
  receiveCallback?(callback: ProviderCallback, call: Call): Promise<Json | undefined>;
  /**
   * Absent: this provider cannot cancel running work. `requested`: the provider will try, and the video may still be
   * completed upstream. `unsupported`: it can cancel other videos, but not this one. Never deletes a finished result.
   */
  cancel?(running: RunningVideo, call: Call): Promise<'cancelled' | 'requested' | 'too_late' | 'unsupported'>;
  /** Whether `cancel` can end the work of the provider's model of this name. Absent: of every model. */
  cancels?(modelName: string): boolean;
  /**
   * Opens the finished file. Rejects with `video_expired` if it has been deleted, and with
   * `upstream_content_unavailable` if it cannot be read now.
   */
  open(file: Json, part: ContentPart, call: Call): Promise<Content>;
  /**
   * Returns a new reference to the same file, for providers whose links expire before their files do. Rejects with
   * `video_expired` if the file has been deleted.
   */
  refresh?(finished: { readonly receipt: Json; readonly file: Json }, call: Call): Promise<Json>;
  /**
   * Deletes what is stored of a video on this machine, by the reference of its file, or by its receipt if there is no
   * file. Safe to repeat.
   */
  remove?(note: Json, call: Call): Promise<void>;
  /**
   * Calls the listener when the progress of a video may have changed, so that it is checked at once; checks at
   * intervals are still needed, because the process may end before the call. For providers on this machine. The
   * returned function removes the listener.
   */
  onChange?(listener: (videoId: VideoId) => void): () => void;
  /**
   * The receipt of a job that does not exist in any account. Checking it costs nothing and needs the credentials, so an
   * operator can verify them. Absent: the provider needs no credentials.
   */
  readonly unknownJob?: Json;
  /** The delay before the first check, and the shortest delay between two; absent: the standard schedule. */
  readonly pace?: { readonly firstMs?: number; readonly minMs?: number };
  /**
   * How long an accepted video may wait for a free worker of this provider, before its deadline begins to count.
   * Absent: the deadline counts from the acceptance.
   */
  readonly waitTimeoutMs?: number;
  /** Limits of the account at the upstream, kept over all processes. */
  readonly limits?: VideoLimits;
}

export interface VideoLimits {
  /** Videos that are started and not finished. */
  readonly running?: number;
  readonly startsPerMinute?: number;
  readonly checksPerMinute?: number;
}

/** `receipt` replaces the stored one. `nextInMs` is the delay before the next check; absent: the standard schedule. */
export type VideoProgress =
  | { readonly status: 'queued' | 'in_progress'; readonly receipt?: Json; readonly nextInMs?: number }
  | { readonly status: 'completed'; readonly video: FinishedVideo; readonly bill?: UpstreamBill }
  | {
      readonly status: 'failed';
      readonly code: ProviderFailureCode;
      readonly message: string;
      readonly bill?: UpstreamBill;
    };

/** What the upstream charges the operator, also for failures. Not the price of the caller. */
export interface UpstreamBill {
  /** Billionths of a US dollar. */
  readonly nanoUsd?: bigint;
  /** In the upstream's own unit, such as `60 credits`. */
  readonly units?: string;
}

const providerFailureCodes = [
  'content_policy_violation',
  'generation_failed',
  'media_invalid',
  'media_unreachable',
  'media_too_large',
  'input_seconds_mismatch',
  // The upstream found out that the request is invalid only while it worked on it.
  'upstream_rejected',
  'upstream_timeout',
  // The operator's account was refused during the work: it has no balance, or its key was revoked.
  'upstream_auth_failed',
  // Stopped at the upstream, not by us.
  'cancelled',
] as const;

/** The reasons why a provider could not make a video that it had started. */
type ProviderFailureCode = (typeof providerFailureCodes)[number];

/**
 * The codes of failed videos. Most are error codes of the API; `generation_failed`, `input_seconds_mismatch`,
 * `upstream_unconfirmed` and `cancelled` exist only for videos.
 */
export const videoFailureCodes = [
  ...providerFailureCodes,
  // The provider refused to start the video.
  'request_too_large',
  'upstream_unconfirmed',
  'no_provider_available',
  'internal_error',
] as const;

export type VideoFailureCode = (typeof videoFailureCodes)[number];

export interface FinishedVideo {
  /** The provider's own reference of the file; opaque to us, passed back to `open`. */
  readonly file: Json;
  /**
   * A link that works without credentials and from any page, if the provider has one; otherwise our signed link is
   * shown.
   */
  readonly publicUrl?: string;
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly durationSeconds?: number;
  /** The length of the file. Absent unless it was read from the file itself. */
  readonly bytes?: number;
  /** When the provider deletes the file. `kept`: it is kept on this machine until we delete it. */
  readonly expiresAt: Date | 'kept';
}

/** The allowed next statuses; the SQL of every transition has the same condition. */
export const videoMoves = {
  queued: ['in_progress', 'completed', 'failed'],
  in_progress: ['completed', 'failed'],
  completed: [],
  failed: [],
} as const satisfies Record<VideoStatus, readonly VideoStatus[]>;
