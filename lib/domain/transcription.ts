import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { UnitPrice } from './money';
import type { PcmEncoding, PcmFormat } from './pcm';

// Speech to text: a stream of audio in, a stream of events out, without a connection that callers must open or close.

/** A word with its times, in seconds from the first sample of the session. */
export interface Word {
  /** Without whitespace; punctuation belongs to the word before it. */
  readonly word: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface Transcript {
  /** Never blank. A final text contains everything since the previous final, not the whole session. */
  readonly text: string;
  /** False: may change as audio arrives, and replaces the previous interim text. */
  readonly isFinal: boolean;
  /** Absent if the provider gives no times. Start times never decrease within a transcript. */
  readonly words?: readonly Word[];
}

/** A session's request to a provider, validated against the model's facts. */
export interface SttRequest {
  readonly binding: SttBinding;
  /** The format of the audio bytes. A provider whose upstream needs another rate resamples. */
  readonly format: PcmFormat;
  /** ISO-639-1. Absent: the provider detects it. */
  readonly language?: string;
  /** A test scenario of the sandbox; real providers never receive one. */
  readonly scenario?: string;
}

export type SttEvent =
  /** The upstream accepts audio now. The first event, exactly once. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'transcript'; readonly transcript: Transcript }
  /** The provider's own measure of the audio it has processed, if it gives one; the last value counts. */
  | { readonly kind: 'usage'; readonly audioSeconds: number }
  /** No transcript yet, but audio is being processed and more events will follow; the consumer should keep waiting. */
  | { readonly kind: 'working' };

/** Whole samples in chunks of any length, never empty. */
export interface AudioSource extends AsyncIterable<Uint8Array> {
  /**
   * Instead of the iteration: `take` receives each chunk as it arrives, and the next one after its promise has
   * resolved. Resolves at the end, also when the iteration's `return` is called; rejects when `take` does. Audio
   * arrives fifty times a second in every session, and an iteration costs a few promises per chunk.
   */
  flow?(take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void>;
}

export interface SttProvider {
  /**
   * `audio` is pulled only after `ready`. Its end means that the caller has stopped: the provider then ends the
   * upstream properly and the iteration ends after the last transcript. Cutting to the chunk lengths of the upstream,
   * resampling and keep-alive during silence are the provider's work (`kit/speech`, `kit/http/socket.ts`).
   *
   * Rejects with a GatewayError whose `upstream` outcome says what may follow: `started: 'no'` only before `ready`. An
   * upstream that ends while audio still arrives also rejects. When the signal aborts, or the iteration is ended from
   * outside, the upstream is closed immediately and the iteration ends without an error.
   */
  transcribe(audio: AudioSource, request: SttRequest, call: Call): AsyncIterable<SttEvent>;
}

/** The capabilities of a transcription model, for any provider. Used by validation, the console and the catalog. */
export interface SttFacts {
  /** `pcm_s16le` is always one of them. */
  readonly encodings: readonly PcmEncoding[];
  readonly sampleRatesHz: readonly number[];
  /** ISO-639-1 codes, sorted. */
  readonly languages: readonly string[];
  /** What an absent language means: the model detects it, or assumes this one. */
  readonly withoutLanguage: { readonly detects: true } | { readonly assumes: string };
  /** Whether the model reports word times, and how exact they are. */
  readonly wordTimes: 'exact' | 'approximate' | 'none';
  /**
   * From configure to the end that the gateway enforces, including the last finals and `done`. Below the provider's own
   * limit.
   */
  readonly maxSessionSeconds: number;
}

/** How one provider serves one speech-to-text model. */
export interface SttBinding extends BindingIdentity {
  readonly price: SttPrice;
}

export interface SttPrice {
  readonly perMinute: UnitPrice;
  /** The price if no language is stated; absent if it is the same. */
  readonly perMinuteDetecting?: UnitPrice;
  /** What the provider bills: the audio, or the time that the session is open (then the longer of both is charged). */
  readonly meter: 'audio' | 'session';
  /** The source of the numbers, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}
