import type { TokenizerFacts } from '../../domain/messages';

// How much of a text is in other scripts than the Latin one. Newer tokenizers cut Latin words into more pieces than older ones
// and leave the others as they were, so the two are multiplied apart.

const otherLetters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/gu;
/** Cheap to look for, and absent from most texts. */
const anyOther = /[\u0370-\uD7FF]/;
/** A letter of another script is about a token; of Latin ones four are. */
const LATIN_CHARS_PER_TOKEN = 4;
/** Of a longer text so much of its beginning, its middle and its end is looked at. */
const LOOK_CHARS = 4_096;

/** From 0 to 1, in tokens rather than in letters. */
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

/** Tokens of the model for each token of the encoding, for this text. */
export function multiplierFor(text: string, { multiplier, otherScriptsMultiplier }: TokenizerFacts): number {
  if (otherScriptsMultiplier === undefined) return multiplier;
  const share = otherScriptsShare(text);
  return multiplier * (1 - share) + otherScriptsMultiplier * share;
}
