// Names for the header `X-Ignored-Params`: only valid header text, and a limited number.

const SHOWN = /^[A-Za-z0-9_.[\]-]{1,64}$/;
const MAX_SHOWN = 32;

/** Returns the names to report, each once. */
export function shownIgnoredParams(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => SHOWN.test(name)).slice(0, MAX_SHOWN);
}
