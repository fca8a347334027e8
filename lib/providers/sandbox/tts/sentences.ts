// Splits text into pieces for synthesis: short enough that the first audio comes soon and no piece is long.

/** A piece without a sentence end is cut here, at the last comma or blank before if there is one. */
const MAX_PIECE_CHARS = 200;

/** Returns the pieces in order; together they are the whole text. */
export function sentencesOf(text: string): string[] {
  const sentences = text.match(/[^.!?;\n]*(?:[.!?;\n]+["')\]]*\s*|$)/g) ?? [];
  return sentences.filter((sentence) => sentence !== '').flatMap(divide);
}

function divide(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_PIECE_CHARS) {
    const head = rest.slice(0, MAX_PIECE_CHARS);
    const comma = head.lastIndexOf(',');
    const blank = head.lastIndexOf(' ');
    const at = comma > MAX_PIECE_CHARS / 2 ? comma + 1 : blank > 0 ? blank + 1 : wholeCharacters(head);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}

/** Returns where to cut: a character beyond the basic plane is two code units that must stay together. */
function wholeCharacters(head: string): number {
  const last = head.charCodeAt(head.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? head.length - 1 : head.length;
}

/**
 * Converts text to the plain ASCII that the English synthesiser reads: accents are dropped, typographic marks replaced,
 * the rest removed.
 */
export function speakable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, ', ')
    .replace(/\u2026/g, '...')
    .replace(/[^\x20-\x7e]/g, (character) => (/\s/.test(character) ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim();
}
