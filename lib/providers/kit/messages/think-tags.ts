// Separates thinking that open models write into their answer, between `<think>` and `</think>`, if their server does
// not remove it. Only at the very beginning: later on such tags belong to the text.

export interface ThinkTagParser {
  /** Returns which part of this piece is thinking and which is text; a tag may be split anywhere. */
  push(piece: string): { readonly thinking: string; readonly text: string };
  /** Returns what was held back as a possible tag. */
  end(): { readonly thinking: string; readonly text: string };
}

const opening = '<think>';
const closing = '</think>';

export function createThinkTagParser(): ThinkTagParser {
  let state: 'before' | 'thinking' | 'after' = 'before';
  let held = '';
  let isAtStart = false;

  function afterThinking(text: string): string {
    if (!isAtStart) return text;
    // The blank lines between a thinking block and the answer belong to neither.
    const rest = text.trimStart();
    if (rest !== '') isAtStart = false;
    return rest;
  }

  function split(all: string): { thinking: string; text: string } {
    if (state === 'before') {
      const start = all.trimStart();
      if (start.startsWith(opening)) {
        state = 'thinking';
        return split(start.slice(opening.length));
      }
      if (opening.startsWith(start)) {
        held = all;
        return { thinking: '', text: '' };
      }
      state = 'after';
    }
    if (state === 'after') return { thinking: '', text: afterThinking(all) };
    const end = all.indexOf(closing);
    if (end !== -1) {
      state = 'after';
      isAtStart = true;
      return { thinking: all.slice(0, end), text: afterThinking(all.slice(end + closing.length)) };
    }
    let kept = Math.min(closing.length - 1, all.length);
    while (kept > 0 && !closing.startsWith(all.slice(-kept))) kept--;
    held = kept === 0 ? '' : all.slice(-kept);
    return { thinking: kept === 0 ? all : all.slice(0, -kept), text: '' };
  }

  return {
    push(piece) {
      const all = held + piece;
      held = '';
      return split(all);
    },
    end() {
      const rest = held;
      held = '';
      return state === 'thinking' ? { thinking: rest, text: '' } : { thinking: '', text: rest };
    },
  };
}
