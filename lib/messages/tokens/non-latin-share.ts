import type { TokenizerFacts } from '../../domain/messages';

// The share of a text in non-Latin scripts. Newer tokenizers split Latin words into more tokens than older ones and
// leave other scripts unchanged, so the two have separate multipliers.

const otherLetters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/gu;
/** Cheap to test, and absent from most texts. */
const anyOther = /[\u0370-\uD7FF]/;
/** A letter of another script is about one token; four Latin letters are. */
const LATIN_CHARS_PER_TOKEN = 4;
/** For longer texts, only this much of the beginning, the middle and the end is sampled. */
const LOOK_CHARS = 4_096;

/** Returns the share of other scripts in a text, from 0 to 1, measured in tokens instead of letters. */
function otherScriptsShare(text: string): number {
  const seen =
    text.length <= 3 * LOOK_CHARS
      ? text
      : text.slice(0, LOOK_CHARS) +
        text.slice((text.length - LOOK_CHARS) / 2, (text.length + LOOK_CHARS) / 2) +
        text.slice(-LOOK_CHARS);
  if (!anyOther.test(seen)) return 0;
  const others = seen.match(otherLetters)?.length ?? 0;
  return others / (others + (seen.length - others) / LATIN_CHARS_PER_TOKEN);
}

/** Returns the model's tokens per token of the encoding, for this text. */
export function multiplierFor(text: string, { multiplier, otherScriptsMultiplier }: TokenizerFacts): number {
  if (otherScriptsMultiplier === undefined) return multiplier;
  const share = otherScriptsShare(text);
  return multiplier * (1 - share) + otherScriptsMultiplier * share;
}
