// Tokens of texts. The tables take a tenth of a second and tens of megabytes to load, so they are loaded by the first who
// counts; and long texts are counted in pieces, between which the process answers others.

const PIECE_CHARS = 2_000;
/** Counted without a pause. */
const TURN_CHARS = 16 * 1024;
/** Beyond it the rest is taken to be like the beginning. */
const MOST_CHARS = 512 * 1024;
/** Without a blank for so long it is no language but data, and the work for it would grow with its square. */
const LONGEST_RUN = 512;
const DATA_CHARS_PER_TOKEN = 1.6;

/** Tokens of the texts, those of each piece multiplied by what `multiplierFor` says of it. */
export async function countTokensOf(texts: readonly string[], encoding: 'claude' | 'o200k', multiplierFor: (piece: string) => number = () => 1): Promise<number> {
  const count = await load(encoding);
  let tokens = 0;
  let countedChars = 0;
  let turnChars = 0;
  let leftChars = 0;
  for (const text of texts) {
    const upTo = Math.min(text.length, Math.max(0, MOST_CHARS - countedChars));
    leftChars += text.length - upTo;
    countedChars += upTo;
    for (const piece of pieces(text, upTo)) {
      tokens += (isData(piece) ? piece.length / DATA_CHARS_PER_TOKEN : count(piece)) * multiplierFor(piece);
      turnChars += piece.length;
      if (turnChars < TURN_CHARS) continue;
      turnChars = 0;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  return leftChars === 0 ? tokens : tokens * (1 + leftChars / countedChars);
}

async function load(encoding: 'claude' | 'o200k'): Promise<(text: string) => number> {
  if (encoding === 'o200k') {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    // Marks such as `<|endoftext|>` in a caller's text are text.
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  }
  const [{ Tokenizer }, table] = await Promise.all([import('ai-tokenizer'), import('ai-tokenizer/encoding/claude')]);
  const tokenizer = new Tokenizer(table);
  return (text) => tokenizer.count(text);
}

/** Cut where a blank is, if there is one near. */
function* pieces(text: string, end: number): Generator<string> {
  let at = 0;
  while (at < end) {
    let to = Math.min(end, at + PIECE_CHARS);
    if (to < end) {
      const blank = text.lastIndexOf(' ', to);
      if (blank > at + PIECE_CHARS / 2) to = blank;
    }
    yield text.slice(at, to);
    at = to;
  }
}

function isData(piece: string): boolean {
  return piece.length > LONGEST_RUN && new RegExp(`[!-~]{${LONGEST_RUN}}`).test(piece);
}
