// Helpers for error messages: lists of allowed values, and the caller's own value quoted safely.

/** `"a"`, `"a or b"`, `"a, b or c"`. */
export function anyOf(words: readonly (string | number)[]): string {
  return joined(words, 'or');
}

/** `"a"`, `"a and b"`, `"a, b and c"`. */
export function allOf(words: readonly (string | number)[]): string {
  return joined(words, 'and');
}

function joined(words: readonly (string | number)[], last: string): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.slice(-1).join('')}`;
}

/**
 * Returns "Try again in 12 seconds.", or "Try again in a moment." if the pause is not known. The header `Retry-After`
 * has the same number, but sockets and the tools for agents have no headers.
 */
export function tryAgain(afterSeconds?: number): string {
  if (afterSeconds === undefined) return 'Try again in a moment.';
  const seconds = Math.max(1, Math.ceil(afterSeconds));
  return `Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
}

const MAX_SHOWN_CHARS = 60;

/**
 * Formats a caller's value for an error message: numbers plain, text in quotes, truncated and without control
 * characters.
 */
export function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
  const plain = value.replace(/[\p{C}"]/gu, '?');
  return `"${plain.length > MAX_SHOWN_CHARS ? `${plain.slice(0, MAX_SHOWN_CHARS)}…` : plain}"`;
}
