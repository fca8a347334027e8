// Is this process `npm run dev`? Only the entry that server/dev.mjs starts says so, and the production bundle does not
// contain that entry. No variable or setting turns it on. Kept on `globalThis`, because Next loads its own copies of
// our modules.

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
