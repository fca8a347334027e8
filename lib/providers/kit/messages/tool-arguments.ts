// The arguments of a tool call, as they stream by. Every client parses their concatenation as one JSON object, and throws,
// or loses the call, when it is anything else. So what comes after the object is dropped, and what is no object is held
// back and made one at the end. A single pass over the characters: parsing again at each fragment would be quadratic.

export interface ToolArguments {
  /** What of this fragment may be sent on now; often all of it, sometimes nothing. */
  push(fragment: string): string;
  /** What is left to send when no more comes. */
  end(): string;
  /** Is the object whole? Nothing that follows could still belong to it. */
  readonly complete: boolean;
}

type State = 'undecided' | 'object' | 'empty' | 'closed' | 'other';

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

export function createToolArguments(): ToolArguments {
  let state: State = 'undecided';
  let held = '';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let hasMembers = false;

  /** Scans from behind the opening brace; answers the index behind the end of the object, or -1. */
  function scan(text: string, from: number): number {
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
        continue;
      }
      if (code <= 32) continue;
      if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (--depth === 0) return i + 1;
        continue;
      }
      hasMembers = true;
      if (code === QUOTE) inString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    }
    return -1;
  }

  function continueObject(text: string, from: number): string {
    const end = scan(text, from);
    if (end === -1) return text;
    if (hasMembers) {
      state = 'closed';
      return text.slice(0, end);
    }
    // Some upstreams begin with `{}` and then send the real object. The brace is held, so that it can still be continued.
    state = 'empty';
    return text.slice(0, end - 1) + continueEmpty(text.slice(end));
  }

  function continueEmpty(text: string): string {
    const rest = text.trimStart();
    if (rest === '') return '';
    if (rest.charCodeAt(0) !== OPEN_BRACE) {
      state = 'closed';
      return '}';
    }
    state = 'object';
    depth = 1;
    return continueObject(rest.slice(1), 0);
  }

  function begin(text: string): string {
    const start = text.length - text.trimStart().length;
    if (start === text.length) {
      held = text;
      return '';
    }
    if (text.charCodeAt(start) !== OPEN_BRACE) {
      state = 'other';
      held = text;
      return '';
    }
    state = 'object';
    held = '';
    depth = 1;
    return continueObject(text, start + 1);
  }

  return {
    push(fragment) {
      switch (state) {
        case 'undecided':
          return begin(held + fragment);
        case 'object':
          return continueObject(fragment, 0);
        case 'empty':
          return continueEmpty(fragment);
        case 'other':
          held += fragment;
          return '';
        case 'closed':
          return '';
      }
    },
    end() {
      const ended = state;
      state = 'closed';
      if (ended === 'empty') return '}';
      return ended === 'other' ? objectText(held) : '';
    },
    get complete() {
      return state === 'closed' || state === 'empty';
    },
  };
}

/** Any text as the text of a JSON object: encoded twice it is decoded, another value or no JSON at all gets a name. */
export function objectText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return '';
  try {
    const once: unknown = JSON.parse(trimmed);
    const value: unknown = typeof once === 'string' ? JSON.parse(once) : once;
    if (value === null) return '';
    return JSON.stringify(typeof value === 'object' && !Array.isArray(value) ? value : { value });
  } catch {
    return JSON.stringify({ raw: trimmed });
  }
}
