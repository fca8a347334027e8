import type { Readable } from 'node:stream';
import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { OrgId, VideoId } from './ids';
import type { Json } from './json';
import type { UnitPrice } from './money';

// A video from the order to the file. Nothing here knows a provider, a database or HTTP.

export type VideoKind = 't2v' | 'i2v' | 'r2v' | 'video-edit' | 'start-end';
export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed';
export type Mode = 'live' | 'test';

/** What a video model can do. The validator, the price, the console's form and the documentation all read this. */
export interface VideoFacts {
  readonly kind: VideoKind;
  /** Whole seconds: the allowed lengths of the output. */
  readonly seconds: readonly number[];
  /** Absent for edits: there the length of the source decides. */
  readonly defaultSeconds?: number;
  /** Resolution tiers, such as `720p`. */
  readonly resolutions: readonly string[];
  readonly defaultResolution: string;
  /** Empty when the source media decides the ratio. */
  readonly aspectRatios: readonly string[];
  readonly fps: { readonly default: number; readonly min?: number; readonly max?: number };
  readonly audio: 'always' | 'toggle' | 'none' | 'source' | 'bgm';
  readonly media: MediaRule;
  /** Parameters of the specification that at least one binding takes. */
  readonly parameters: readonly string[];
  readonly rules: readonly VideoRule[];
  /** From submission to the forced failure. */
  readonly deadlineSeconds: number;
}

/** How many pieces of media the model takes; `min > 0` makes them required. */
export interface MediaRule {
  readonly images?: { readonly min: number; readonly max: number };
  readonly videos?: { readonly min: number; readonly max: number };
  /** Images or videos, at least one of either (reference-to-video). */
  readonly eitherRequired?: boolean;
  readonly sourceVideo?: boolean;
}

/** A combination that is allowed only together: these resolutions only with these seconds. */
export interface VideoRule {
  readonly resolutions: readonly string[];
  readonly seconds: readonly number[];
}

/** How one provider serves one video model. */
export interface VideoBinding extends BindingIdentity {
  readonly price: VideoPrice;
  /** Parameters that this provider takes for this model; a subset of the specification's names. */
  readonly parameters: readonly string[];
  /** The tiers that this provider serves, where they are fewer than the model's; `price` covers these. */
  readonly resolutions?: readonly string[];
  /** Where this provider's audio differs from the model's: one always has sound, another can be silent. */
  readonly audio?: VideoFacts['audio'];
  /** The provider looks at no content before or after it works. */
  readonly unmoderated?: true;
}

/**
 * The price of a video. `rates` are tried in order, the first whose every stated condition holds is the one; a rate without
 * conditions holds always. `clip` prices ignore the length.
 */
export interface VideoPrice {
  readonly per: 'output_second' | 'input_plus_output_second' | 'clip';
  readonly rates: readonly VideoRate[];
  /** Where the numbers come from, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}

export interface VideoRate {
  readonly resolution?: string;
  readonly audio?: boolean;
  readonly seconds?: number;
  readonly option?: string;
  /** Holds when the order brings reference videos. */
  readonly withVideoInput?: boolean;
  /**
   * Rates that bill the input: reference videos whose length the caller did not state count as this many seconds, the most
   * that the provider takes. An edit always states it.
   */
  readonly inputSecondsIfUnstated?: number;
  /** Overrides the price's own `per`. */
  readonly per?: VideoPrice['per'];
  readonly usd: UnitPrice;
}

export type MediaRole = 'first_frame' | 'last_frame' | 'reference_image' | 'reference_video' | 'source_video';

/** One piece of caller's media: an https address, a data URL, or a signed link of this installation. */
export interface OrderMedia {
  readonly role: MediaRole;
  readonly url: string;
}

/** A checked, normalised request for a video. Plain JSON: it is stored with the video and survives a restart. */
export interface VideoOrder {
  readonly kind: VideoKind;
  readonly prompt: string;
  readonly seconds: number;
  readonly resolution: string;
  /** Absent when the model takes the ratio from its media. */
  readonly aspectRatio?: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly seed?: number;
  /** Will the output have sound of its own? Part of the price where the model can be silent. */
  readonly audio: boolean;
  readonly media: readonly OrderMedia[];
  /** Edits: the caller's statement of the source's length, in thousandths of a second; the price is locked from it. */
  readonly inputMillis?: number;
  /** The other parameters that the model supports, defaults made explicit. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/** Everything a provider gets to begin a video. */
export interface VideoStart {
  /** Ours; a provider whose start is `repeatable` recognises it and never makes the same video twice. */
  readonly videoId: VideoId;
  readonly order: VideoOrder;
  readonly binding: VideoBinding;
  /** The organisation and mode that own signed links of this installation used as media. */
  readonly owner: { readonly orgId: OrgId; readonly mode: Mode };
  /** A word of the sandbox's scenarios; real providers never see one. */
  readonly scenario?: string;
  /**
   * Tells what the upstream is about to be sent, so that the caller can compare it with what was asked. The body only, never
   * credentials; media may be named as they are, they are shortened before they are kept.
   */
  noteSent?(body: unknown): void;
}

export interface VideoProvider {
  /** Begins the work. A rejection says by its `upstream` outcome whether work may have been started. */
  start(start: VideoStart, call: Call): Promise<{ receipt: Json; providerJobId?: string }>;
  /**
   * Resolves to `failed` only if the provider said so; rejects when it could not be found out (the runner then asks again
   * later, so that nobody loses a video to a 503 on a poll).
   */
  check(receipt: Json, call: Call): Promise<VideoProgress>;
  /** Absent: this provider cannot stop what it has begun. */
  cancel?(receipt: Json, call: Call): Promise<'cancelled' | 'too_late'>;
  /** `start` may be asked again with the same video id after a crash; otherwise it is never asked twice. */
  readonly repeatable?: true;
  /** The finished file. Rejects with `video_expired` when it is gone for good. */
  open(file: Json, range: ByteRange | undefined, call: Call): Promise<Content>;
  /** Removes what is kept of a video here, by the note of its file, or by its receipt when there is no file. Safe to repeat. */
  remove?(note: Json, call: Call): Promise<void>;
  /** Sooner and more often than the standard schedule, for a provider that is local. Milliseconds after the start or the last check. */
  readonly checkEveryMs?: number;
}

export type VideoProgress =
  | { readonly status: 'queued' }
  | { readonly status: 'in_progress' }
  | { readonly status: 'completed'; readonly video: FinishedVideo }
  | {
      readonly status: 'failed';
      readonly code:
        | 'content_policy_violation'
        | 'generation_failed'
        | 'media_invalid'
        | 'media_unreachable'
        | 'media_too_large'
        | 'input_seconds_mismatch';
      readonly message: string;
    };

export interface FinishedVideo {
  /** The provider's own note of where the file is; opaque to us, given back to `open`. */
  readonly file: Json;
  /** A link that needs no credentials, if the provider has one; otherwise our signed link is shown. */
  readonly publicUrl?: string;
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly durationSeconds?: number;
  /** When the file disappears, if the provider says so. */
  readonly expiresAt?: Date;
}

/** Inclusive offsets; without `end`, to the end of the file. Negative `start`: the last `-start` bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** A finished file, or the asked part of it, as a stream; length and range as the source gave them. */
export interface Content {
  readonly status: 200 | 206 | 416;
  /** Bytes in `body`; absent when the source did not say. */
  readonly length?: number;
  /** Bytes of the whole file, if known. */
  readonly total?: number;
  /** First byte of `body` within the file; 0 for a whole file. */
  readonly start: number;
  readonly body: Readable;
}

/** Where a video may go from each status; the SQL of every move asks the same. */
export const videoMoves = {
  queued: ['in_progress', 'completed', 'failed'],
  in_progress: ['completed', 'failed'],
  completed: [],
  failed: [],
} as const satisfies Record<VideoStatus, readonly VideoStatus[]>;
