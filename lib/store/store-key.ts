/** Names of letters, digits, `_`, `-` and `.` that do not begin with a dot, joined by `/`. */
const KEY = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** Throws for a key that could lead out of the directory, or that a server could change: `..`, empty names, `%2F`. */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('A key of the archive has a name that is not allowed.');
}
