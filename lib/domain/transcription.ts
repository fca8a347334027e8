import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { UnitPrice } from './money';
import type { PcmEncoding, PcmFormat } from './pcm';

// Speech to text: a stream of sound in, a stream of text out. Nothing to open, nothing to forget to close.

/** A word with its place in the sound, seconds from the first sample of the session. */
export interface Word {
  /** Without blanks; punctuation stays with the word before it. */
  readonly word: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface Transcript {
  /** Never blank. Of one utterance: a final one is what was said since the final one before, not the whole session. */
  readonly text: string;
  /** False: may change as sound arrives, and replaces the interim text before it. */
  readonly isFinal: boolean;
  /** Absent when the provider gives no times. Start times never decrease within a transcript. */
  readonly words?: readonly Word[];
}

/** What a session asks of a provider; checked against the model's facts. */
export interface SttRequest {
  readonly binding: SttBinding;
  /** The format of the bytes in the stream. A provider whose upstream wants another rate resamples by itself. */
  readonly format: PcmFormat;
  /** ISO-639-1. Absent: the provider is to find out. */
  readonly language?: string;
  /** A word of the sandbox's scenarios; real providers never see one. */
  readonly scenario?: string;
}

export type SttEvent =
  /** The upstream takes sound now. First of all events, exactly once. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'transcript'; readonly transcript: Transcript }
  /** The provider's own measure of the sound it has heard, when it gives one; the last value counts. */
  | { readonly kind: 'usage'; readonly audioSeconds: number }
  /** Nothing to say yet, but at work on sound that it was given: more is to come, and whoever waits for it should go on. */
  | { readonly kind: 'working' };

/** Whole samples in pieces of any length, never an empty one. */
export interface SoundSource extends AsyncIterable<Uint8Array> {
  /**
   * Instead of the iteration: `take` is given each piece in the moment in which it comes, and the next one when what it answered
   * has resolved. Resolves at the end, also when the iteration is told to return; rejects when `take` does. Sound comes fifty
   * times a second for every session, and an iteration costs a few promises a piece.
   */
  flow?(take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void>;
}

export interface SttProvider {
  /**
   * `audio` is pulled only after `ready`, and its end means that the caller has stopped: the provider then ends the upstream
   * properly and the iteration ends after the last transcript. Cutting to the lengths that the upstream wants, resampling and
   * keeping it alive during silence are the provider's (`kit/pcm.ts`, `kit/socket.ts`).
   *
   * Rejects with a GatewayError whose `upstream` outcome says what may follow: `started: 'no'` only before `ready`. An
   * upstream that ends by itself while sound still comes rejects too. When the signal aborts, or the iteration is ended from
   * outside, the upstream is told and closed at once, and the iteration ends without an error.
   */
  transcribe(audio: SoundSource, request: SttRequest, call: Call): AsyncIterable<SttEvent>;
}

/** What a model of this kind can do, whoever serves it. The validator, the console and the catalog read this. */
export interface SttFacts {
  /** `pcm_s16le` is always one of them. */
  readonly encodings: readonly PcmEncoding[];
  readonly sampleRatesHz: readonly number[];
  /** ISO-639-1 codes, sorted. */
  readonly languages: readonly string[];
  /** What an absent language means: the model finds out, or it is taken for this one. */
  readonly withoutLanguage: { readonly detects: true } | { readonly assumes: string };
  /** Are times of words given, and how much are they worth? */
  readonly wordTimes: 'exact' | 'approximate' | 'none';
  /** From configure to the end that we make ourselves, with the last finals and `done`. Below the provider's own cap. */
  readonly maxSessionSeconds: number;
}

/** How one provider serves one speech-to-text model. */
export interface SttBinding extends BindingIdentity {
  readonly price: SttPrice;
}

export interface SttPrice {
  readonly perMinute: UnitPrice;
  /** When the caller leaves the language open, where that is dearer. */
  readonly perMinuteDetecting?: UnitPrice;
  /** What the provider's meter counts: the sound, or the time that the session is open (the longer of both is charged then). */
  readonly meter: 'audio' | 'session';
  /** Where the numbers come from, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}
