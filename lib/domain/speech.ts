import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { UnitPrice } from './money';
import type { PcmFormat } from './pcm';

// Text to speech: one connection for a caller's session, any number of generations through it, one at a time as the caller
// sees it. A provider may still be draining an old generation while the next one speaks; the session drops what is late.

/** One text to be spoken; checked against the model's facts. */
export interface SpeechRequest {
  /** Ours, new for every generation; upstreams that know contexts get it as their own. */
  readonly contextId: string;
  readonly binding: TtsBinding;
  /** Not blank, at most the model's `maxInputCharacters`. */
  readonly input: string;
  /** A voice's name or id, as the caller wrote it. */
  readonly voice: string;
  readonly format: PcmFormat;
  /** Absent: 1. Within the model's range. */
  readonly speed?: number;
  /** ISO-639-1. */
  readonly language?: string;
  /** A word of the sandbox's scenarios; real providers never see one. */
  readonly scenario?: string;
}

export type SpeechEvent =
  /** Base64 of raw PCM in the asked format: passed through untouched where the provider already sends base64. Any length, and nothing that JSON would have to escape. */
  | { readonly kind: 'audio'; readonly base64: string }
  /** Characters of the input worked on so far, in total; from a provider that never says so, the whole input counts. */
  | { readonly kind: 'usage'; readonly characters: number };

export interface TtsConnection {
  /**
   * Speaks one text; the iteration ends after its last sound. Ending it earlier, or the signal, cancels the generation
   * upstream; the connection stays usable, and nothing of the old generation reaches the iteration of a later one.
   *
   * Rejects with `unsupported_value` and the parameter when the caller's voice (or another value that only the provider can
   * judge) does not exist: the connection lives on. Otherwise with a GatewayError whose `upstream` outcome says what may
   * follow. An upstream socket that was closed between generations is opened again without a word.
   */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechEvent>;
  /** Closes the upstream at once; running generations end without an error. Safe to repeat. */
  close(): void;
}

export interface TtsProvider {
  /** One for each session. Begins to connect at once, so that the first text need not wait; failures show in `speak`. */
  open(call: Call): TtsConnection;
}

/** What a model of this kind can do, whoever serves it. The validator, the console and the catalog read this. */
export interface TtsFacts {
  /** The voices that we name; the first one is the console's. */
  readonly voices: readonly Voice[];
  /** The provider has more, by name or id: it judges those that are not listed. */
  readonly otherVoices: boolean;
  /** ISO-639-1 codes, sorted. */
  readonly languages: readonly string[];
  /** Words of `output_format`, such as `pcm_24000`; `pcm_24000` is always one of them. */
  readonly formats: readonly string[];
  /** Absent: the speed cannot be chosen, and only 1 is taken. */
  readonly speed?: { readonly min: number; readonly max: number };
  readonly maxInputCharacters: number;
  /** From the open socket to the end that we make ourselves. */
  readonly maxSessionSeconds: number;
}

export interface Voice {
  /** What a caller writes; compared without regard to case. */
  readonly name: string;
  /** The provider's own id, where it differs. */
  readonly id?: string;
  /** ISO-639-1, where the voice speaks only one. */
  readonly language?: string;
  readonly description?: string;
}

/** How one provider serves one speech model. */
export interface TtsBinding extends BindingIdentity {
  readonly price: TtsPrice;
  /** The API supports one speech provider; this one serves only where the operator enables it (EXTRA_SPEECH_PROVIDERS). */
  readonly extra?: true;
}

export interface TtsPrice {
  readonly perCharacter: UnitPrice;
  /** Where the numbers come from, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}

/** How much of a text is billed: its code points, not the units in which JavaScript keeps them. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}
