// Whether this process is `npm run dev`. It is marked only by the entry that server/dev.mjs starts, which the
// production bundle does not contain; no variable or setting turns it on. The mark is on `globalThis`, because Next
// loads its own copies of our modules.

const marker = Symbol.for('gateway.development');

/**
 * Marks this process as a development server: its log is made for reading and shows the full text of unexpected errors.
 */
export function startDevelopment(): void {
  Reflect.set(globalThis, marker, true);
}

export function isDevelopment(): boolean {
  return Reflect.get(globalThis, marker) === true;
}
