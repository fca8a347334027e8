// Names for `X-Ignored-Params`: only those that may stand in a header, and not more than anybody would read.

const SHOWN = /^[A-Za-z0-9_.[\]-]{1,64}$/;
const MAX_SHOWN = 32;

/** Of these names the ones that are told, each once. */
export function shownIgnoredParams(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => SHOWN.test(name)).slice(0, MAX_SHOWN);
}
