import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { ByteRange, Content } from './files';
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
  readonly fps: { readonly default: number; readonly min?: number; readonly max?: number };
  readonly audio: 'always' | 'toggle' | 'none' | 'source' | 'bgm';
  readonly media: MediaRule;
  /** Parameters of the specification that at least one binding supports. */
  readonly parameters: readonly string[];
  readonly rules: readonly VideoRule[];
  /** From the submission to the deadline. */
  readonly deadlineSeconds: number;
  /** The longest prompt, in characters (UTF-16 code units). */
  readonly promptCharacters: number;
  /** The longest `negative_prompt`, in characters. */
  readonly negativePromptCharacters: number;
  /** The largest `seed`; the smallest is 0. */
  readonly maxSeed: number;
  /** Edits: the allowed durations of the source; absent: not restricted. */
  readonly sourceSeconds?: SecondsRange;
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
  /** Images or videos, at least one in total (reference-to-video). */
  readonly eitherRequired?: boolean;
  readonly sourceVideo?: boolean;
}

/** A restricted combination: these resolutions only with these durations. */
export interface VideoRule {
  readonly resolutions: readonly string[];
  readonly seconds: readonly number[];
}

/** A form in which a provider takes media. `https`: an address that it reads itself. */
export type MediaForm = 'https' | 'data' | 'base64' | 'bytes';

/**
 * How one provider serves one video model. A fact that is absent is the model's. A provider may have several bindings
 * of a model if they serve different resolutions; provider and upstream model together identify a binding.
 */
export interface VideoBinding extends BindingIdentity {
  readonly price: VideoPrice;
  /** Parameters that this provider takes for this model; a subset of the specification's names. */
  readonly parameters: readonly string[];
  /** The tiers that this binding serves, where they are fewer than the model's; `price` covers these. */
  readonly resolutions?: readonly string[];
  /** The durations, where they are fewer than the model's. */
  readonly seconds?: readonly number[];
  /** The ratios, where they are fewer than the model's; empty: the ratio follows the media and cannot be chosen. */
  readonly aspectRatios?: readonly string[];
  /** Where this provider's audio differs from the model's: one always has sound, another can be silent. */
  readonly audio?: VideoFacts['audio'];
  /** How many images and reference videos the provider takes; a kind of media that is absent here is not taken. */
  readonly media?: Pick<MediaRule, 'images' | 'videos'>;
  /** The forms in which the provider takes images and videos; absent: every form. */
  readonly mediaForms?: {
    readonly images?: readonly MediaForm[];
    readonly videos?: readonly MediaForm[];
  };
  readonly promptCharacters?: number;
  readonly negativePromptCharacters?: number;
  readonly maxSeed?: number;
  readonly sourceSeconds?: SecondsRange;
  readonly deadlineSeconds?: number;
  /** Edits: the output is as long as the source, at most the longest of the durations; `seconds` has no effect. */
  readonly outputFollowsSource?: true;
  /** The provider looks at no content before or after it works. */
  readonly unmoderated?: true;
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
  /** Holds for orders with reference videos (true) or without them (false). */
  readonly withVideoInput?: boolean;
  /**
   * Rates that bill the input: reference videos whose duration the caller did not state count as this many seconds, the
   * most that the provider takes. An edit always states it.
   */
  readonly inputSecondsIfUnstated?: number;
  /** Overrides the price's own `per`. */
  readonly per?: VideoPrice['per'];
  readonly usd: UnitPrice;
}

export type MediaRole = 'first_frame' | 'last_frame' | 'reference_image' | 'reference_video' | 'source_video';

/** One item of the caller's media: an https URL, a data URL, or a signed link of this installation. */
export interface OrderMedia {
  readonly role: MediaRole;
  readonly url: string;
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
  /** Will the output have sound? Part of the price where the model can be silent. */
  readonly audio: boolean;
  readonly media: readonly OrderMedia[];
  /** Edits: the source's duration as stated by the caller, in milliseconds; the price is fixed from it. */
  readonly inputMillis?: number;
  /** The output is as long as the source, at most `seconds`; the provider is not sent a duration. */
  readonly outputFollowsSource?: true;
  /** The other parameters that the model supports, with explicit defaults. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/** The input of a provider for starting a video. */
export interface VideoStart {
  /** Our id; a provider whose start is `repeatable` recognises it and never makes the same video twice. */
  readonly videoId: VideoId;
  readonly order: VideoOrder;
  readonly binding: VideoBinding;
  /** The organisation and mode that own the signed links of this installation that are used as media. */
  readonly owner: { readonly orgId: OrgId; readonly mode: Mode };
  /** A test scenario of the sandbox; real providers never receive one. */
  readonly scenario?: string;
  /**
   * Reports the body that is about to be sent upstream, so that it can be compared with the request. Never credentials;
   * media may be complete, because they are shortened before they are stored.
   */
  recordSent?(body: unknown): void;
}

export interface VideoProvider {
  /** Starts the work. The `upstream` outcome of a rejection says whether work may have started. */
  start(start: VideoStart, call: Call): Promise<{ receipt: Json; providerJobId?: string }>;
  /**
   * Resolves to `failed` only if the provider reported it. Rejects if the status could not be read; the runner then
   * checks again later, so that a 503 on a poll does not fail a video.
   */
  check(receipt: Json, call: Call): Promise<VideoProgress>;
  /** Absent: this provider cannot cancel running work. */
  cancel?(receipt: Json, call: Call): Promise<'cancelled' | 'too_late'>;
  /** `start` may be called again with the same video id after a crash; otherwise it is never called twice. */
  readonly repeatable?: true;
  /** The finished file. Rejects with `video_expired` when it has been deleted. */
  open(file: Json, range: ByteRange | undefined, call: Call): Promise<Content>;
  /**
   * Deletes what is stored of a video on this machine, by the reference of its file, or by its receipt if there is no
   * file. Safe to repeat.
   */
  remove?(note: Json, call: Call): Promise<void>;
  /**
   * Replaces the standard schedule for a local provider with earlier and more frequent checks. Milliseconds after the
   * start or the last check.
   */
  readonly checkEveryMs?: number;
}

export type VideoProgress =
  | { readonly status: 'queued' }
  | { readonly status: 'in_progress' }
  | { readonly status: 'completed'; readonly video: FinishedVideo }
  | {
      readonly status: 'failed';
      readonly code: ProviderFailureCode;
      readonly message: string;
    };

const providerFailureCodes = [
  'content_policy_violation',
  'generation_failed',
  'media_invalid',
  'media_unreachable',
  'media_too_large',
  'input_seconds_mismatch',
] as const;

/** Why a provider could not make a video that it had started. */
type ProviderFailureCode = (typeof providerFailureCodes)[number];

/**
 * The codes of failed videos. Most are error codes of the API; `generation_failed`, `input_seconds_mismatch`,
 * `upstream_unconfirmed` and `cancelled` exist only for videos.
 */
export const videoFailureCodes = [
  ...providerFailureCodes,
  // The provider refused to start it.
  'upstream_rejected',
  'request_too_large',
  'upstream_timeout',
  'upstream_unconfirmed',
  'no_provider_available',
  'internal_error',
  'cancelled',
] as const;

export type VideoFailureCode = (typeof videoFailureCodes)[number];

export interface FinishedVideo {
  /** The provider's own reference of the file; opaque to us, passed back to `open`. */
  readonly file: Json;
  /** A link without credentials, if the provider has one; otherwise our signed link is shown. */
  readonly publicUrl?: string;
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly durationSeconds?: number;
  /** When the file will be deleted, if the provider says so. */
  readonly expiresAt?: Date;
}

/** The allowed next statuses; the SQL of every transition has the same condition. */
export const videoMoves = {
  queued: ['in_progress', 'completed', 'failed'],
  in_progress: ['completed', 'failed'],
  completed: [],
  failed: [],
} as const satisfies Record<VideoStatus, readonly VideoStatus[]>;
