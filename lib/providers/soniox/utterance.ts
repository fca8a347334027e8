import type { Transcript, Word } from '../../domain/transcription';
import { makeTranscript } from '../kit/speech/transcript';

// The upstream sends tokens, which are parts of words. A final token is sent once; tokens that may still change are
// sent again with every message. An utterance lies between two end marks.

export interface Token {
  readonly text: string;
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
  readonly is_final: boolean;
}

/** `<end>`: the speaker paused; `<fin>`: we requested it. */
const marks: ReadonlySet<string> = new Set(['<end>', '<fin>']);

export function createUtterance() {
  let standing: Token[] = [];

  function finish(): Transcript | undefined {
    const tokens = standing;
    standing = [];
    return present(tokens, true);
  }

  /** Adds tokens. Returns the utterances that they end, then the open one. */
  function add(tokens: readonly Token[]): Transcript[] {
    const said: (Transcript | undefined)[] = [];
    const changing: Token[] = [];
    for (const token of tokens) {
      if (marks.has(token.text)) said.push(finish());
      else (token.is_final ? standing : changing).push(token);
    }
    if (tokens.some(({ text }) => !marks.has(text))) said.push(present([...standing, ...changing], false));
    return said.filter((transcript) => transcript !== undefined);
  }

  return { add, finish };
}

function present(tokens: readonly Token[], isFinal: boolean): Transcript | undefined {
  const words = wordsOf(tokens);
  return makeTranscript(tokens.map(({ text }) => text).join(''), isFinal, words);
}

/**
 * Joins tokens into words. A token that starts with a blank starts a word; in a script without blanks every token does.
 */
function wordsOf(tokens: readonly Token[]): Word[] | undefined {
  const words: Word[] = [];
  for (const { text, start_ms, end_ms } of tokens) {
    if (text.trim() === '') continue;
    if (start_ms === undefined || end_ms === undefined) return undefined;
    const last = words.at(-1);
    if (
      !last ||
      /^\s/.test(text) ||
      /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text)
    ) {
      words.push({ word: text.trim(), startSeconds: start_ms / 1000, endSeconds: end_ms / 1000 });
    } else {
      words[words.length - 1] = {
        word: last.word + text.trim(),
        startSeconds: last.startSeconds,
        endSeconds: end_ms / 1000,
      };
    }
  }
  return words;
}
