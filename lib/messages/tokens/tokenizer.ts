import type { TokenizerFacts } from '../../domain/messages';
import { multiplierFor } from './countable';

// Counts tokens with the tables of a tokenizer. Loading the tables takes a tenth of a second and tens of megabytes, and
// counting takes a millisecond per few thousand letters, so both run in a worker thread (`count-worker.ts`).

const PIECE_CHARS = 2_000;
/** The encoder merges letters within a run without blanks; its work grows with the square of the run's length. */
const RUN_CHARS = 128;
/** This many Latin letters without a blank are data rather than language. */
const DATA_CHARS = 512;
const DATA_CHARS_PER_TOKEN = 1.6;

/** Returns the tokens of the texts for a model with this tokenizer. */
export async function countTokensOf(texts: readonly string[], tokenizer: TokenizerFacts): Promise<number> {
  const count = await load(tokenizer.encoding);
  let tokens = 0;
  for (const text of texts) {
    for (const piece of pieces(text)) {
      const own = isData(piece)
        ? piece.length / DATA_CHARS_PER_TOKEN
        : runs(piece).reduce((sum, run) => sum + count(run), 0);
      tokens += own * multiplierFor(piece, tokenizer);
    }
  }
  return tokens;
}

async function load(encoding: TokenizerFacts['encoding']): Promise<(text: string) => number> {
  if (encoding === 'o200k') {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    // Marks such as `<|endoftext|>` in a client's text are plain text.
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  }
  const [{ Tokenizer }, table] = await Promise.all([import('ai-tokenizer'), import('ai-tokenizer/encoding/claude')]);
  const tokenizer = new Tokenizer(table);
  return (text) => tokenizer.count(text);
}

/** Cuts at a blank, if there is one nearby. */
function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let to = Math.min(text.length, at + PIECE_CHARS);
    if (to < text.length) {
      const blank = text.lastIndexOf(' ', to);
      to = blank > at + PIECE_CHARS / 2 ? blank : letterEnd(text, to);
    }
    yield text.slice(at, to);
    at = to;
  }
}

/** Cuts a piece further if it has a long run without a blank, as in Chinese. */
function runs(piece: string): string[] {
  const cut: string[] = [];
  let from = 0;
  let runFrom = 0;
  for (let at = 0; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    if (code === 0x20 || code === 0x0a) runFrom = at;
    else if (at - runFrom >= RUN_CHARS) {
      const end = letterEnd(piece, at);
      cut.push(piece.slice(from, end));
      from = end;
      runFrom = end;
    }
  }
  cut.push(piece.slice(from));
  return cut;
}

/** Returns `at`, or one more if `at` would split a surrogate pair. */
function letterEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function isData(piece: string): boolean {
  return piece.length > DATA_CHARS && new RegExp(`[!-~]{${DATA_CHARS}}`).test(piece);
}
