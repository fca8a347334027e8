// How much of a text is in other scripts than the Latin one. Newer tokenizers cut Latin words into more pieces than older ones
// and leave the others as they were, so the two are multiplied apart.

const otherLetters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/gu;
/** Cheap to look for, and absent from most texts. */
const anyOther = /[\u0370-\uD7FF]/;
/** A letter of another script is about a token; of Latin ones four are. */
const LATIN_CHARS_PER_TOKEN = 4;

/** From 0 to 1, in tokens rather than in letters. */
export function otherScriptsShare(text: string): number {
  if (!anyOther.test(text)) return 0;
  const others = text.match(otherLetters)?.length ?? 0;
  return others / (others + (text.length - others) / LATIN_CHARS_PER_TOKEN);
}
