// Filters the streamed arguments of a tool call. Every client parses their concatenation as one JSON object, and throws
// or loses the call if it is anything else. Text after the object is therefore dropped, and text that is not an object
// is held back and converted into one at the end. Scans every character once: parsing again at each fragment would be
// quadratic.

export interface ToolArguments {
  /** Returns the part of the fragment that may be sent now: often all of it, sometimes nothing. */
  push(fragment: string): string;
  /** Returns what is left to send at the end. */
  end(): string;
  /** Whether the object is complete, so that nothing that follows can belong to it. */
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

  /** Scans after the opening brace. Returns the index after the end of the object, or -1. */
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
    // Some upstreams start with `{}` and then send the actual object. The brace is held back, so that the object can
    // continue.
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

/**
 * Converts any text into the text of a JSON object: doubly encoded JSON is decoded; another value, or invalid JSON,
 * becomes a named member.
 */
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
