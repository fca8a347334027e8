import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { UnitPrice } from './money';
import type { PcmFormat } from './pcm';

// Text to speech. One connection serves a caller's session with any number of generations, one at a time for the
// caller. A provider may still be finishing an old generation while the next one speaks; the session then drops late
// audio.

/** One text to be spoken, validated against the model's facts. */
export interface SpeechRequest {
  /** Our id, new for every generation; providers with contexts receive it as their context id. */
  readonly contextId: string;
  readonly binding: TtsBinding;
  /** Not blank, at most the model's `maxInputCharacters`. */
  readonly input: string;
  /** A voice's name or id, as the caller sent it. */
  readonly voice: string;
  readonly format: PcmFormat;
  /** Absent: 1. Within the model's range. */
  readonly speed?: number;
  /** ISO-639-1. */
  readonly language?: string;
  /** A test scenario of the sandbox; real providers never receive one. */
  readonly scenario?: string;
}

/** A piece of the audio of a text. */
export interface SpeechChunk {
  /**
   * Base64 of raw PCM in the requested format, forwarded unchanged if the provider already sends base64. It may have
   * any length and contains nothing that JSON would escape.
   */
  readonly base64: string;
}

export interface TtsConnection {
  /**
   * Speaks one text; the iteration ends after its last audio. Ending it earlier, or the signal, cancels the generation
   * upstream; the connection stays usable, and no audio of the old generation reaches a later one.
   *
   * Rejects with `unsupported_value` and the parameter if the caller's voice (or another value that only the provider
   * can check) does not exist; the connection stays open. Otherwise rejects with a GatewayError whose `upstream`
   * outcome says what may follow. An upstream socket that was closed between generations is reopened without an error.
   */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechChunk>;
  /** Closes the upstream immediately; running generations end without an error. Safe to repeat. */
  close(): void;
}

export interface TtsProvider {
  /**
   * Called once for each session. Starts to connect immediately, so that the first text need not wait; failures appear
   * in `speak`.
   */
  open(call: Call): TtsConnection;
}

/** The capabilities of a speech model, for any provider. Used by validation, the console and the catalog. */
export interface TtsFacts {
  /** The voices that we list; the first one is the console's default. */
  readonly voices: readonly Voice[];
  /** Whether the provider has more voices, by name or id. If so, it checks those that are not listed here. */
  readonly otherVoices: boolean;
  /** ISO-639-1 codes, sorted. */
  readonly languages: readonly string[];
  /** Values of `output_format`, such as `pcm_24000`, which is always one of them. */
  readonly formats: readonly string[];
  /** Absent: the speed cannot be chosen, and only 1 is accepted. */
  readonly speed?: { readonly min: number; readonly max: number };
  readonly maxInputCharacters: number;
  /** Measured from the open socket to the end that the gateway enforces. */
  readonly maxSessionSeconds: number;
}

export interface Voice {
  /** The name for callers; compared without regard to case. */
  readonly name: string;
  /** The provider's own id, where it differs. */
  readonly id?: string;
  /** ISO-639-1, if the voice speaks only one language. */
  readonly language?: string;
  readonly description?: string;
}

/** How one provider serves one speech model. */
export interface TtsBinding extends BindingIdentity {
  readonly price: TtsPrice;
  /**
   * The API supports one speech provider; this additional one serves only if the operator enables it
   * (EXTRA_SPEECH_PROVIDERS).
   */
  readonly extra?: true;
}

export interface TtsPrice {
  readonly perCharacter: UnitPrice;
  /** The source of the numbers, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}

/** Returns the billed length of a text: its Unicode code points, not its UTF-16 units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** Whether a text has a letter or a digit, so that its audio cannot be silence. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
