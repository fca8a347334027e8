// Thoughts that open models write into their answer, between `<think>` and `</think>`, when the server in front of them does
// not take them out. Only at the very beginning: further on it is the caller's own text that speaks of such marks.

export interface InlineThoughts {
  /** What of this piece is a thought and what is text; a mark may be cut anywhere. */
  push(piece: string): { readonly thought: string; readonly text: string };
  /** What was held because it could have become a mark. */
  end(): { readonly thought: string; readonly text: string };
}

const opening = '<think>';
const closing = '</think>';

export function createInlineThoughts(): InlineThoughts {
  let state: 'before' | 'thinking' | 'after' = 'before';
  let held = '';
  let isAtStart = false;

  function afterThought(text: string): string {
    if (!isAtStart) return text;
    // The blank lines between a thought and the answer belong to neither.
    const rest = text.trimStart();
    if (rest !== '') isAtStart = false;
    return rest;
  }

  function split(all: string): { thought: string; text: string } {
    if (state === 'before') {
      const start = all.trimStart();
      if (start.startsWith(opening)) {
        state = 'thinking';
        return split(start.slice(opening.length));
      }
      if (opening.startsWith(start)) {
        held = all;
        return { thought: '', text: '' };
      }
      state = 'after';
    }
    if (state === 'after') return { thought: '', text: afterThought(all) };
    const end = all.indexOf(closing);
    if (end !== -1) {
      state = 'after';
      isAtStart = true;
      return { thought: all.slice(0, end), text: afterThought(all.slice(end + closing.length)) };
    }
    let kept = Math.min(closing.length - 1, all.length);
    while (kept > 0 && !closing.startsWith(all.slice(-kept))) kept--;
    held = kept === 0 ? '' : all.slice(-kept);
    return { thought: kept === 0 ? all : all.slice(0, -kept), text: '' };
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
      return state === 'thinking' ? { thought: rest, text: '' } : { thought: '', text: rest };
    },
  };
}
