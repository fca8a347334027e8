import { GatewayError } from './errors';

/** A value that `JSON.stringify` and `JSON.parse` preserve. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The fields of a JSON object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object; false for null and for an array. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the fields of an object, and no fields for any other value, so that JSON from outside can be read level by
 * level.
 */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/**
 * Throws `invalid_character` if a text contains what a database or a provider refuses: a NUL character or half of a
 * surrogate pair. `param` is the field of the request.
 */
export function checkWellFormed(param: string, text: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw new GatewayError(
    'invalid_character',
    `${param} contains a NUL character or half of a surrogate pair. Remove it.`,
    { param },
  );
}

/** Parses 5 and "5" as 5; anything else (5.5, "5s", "", -1, NaN, objects) gives undefined. At most seven digits. */
export function parseWholeNumber(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

const SHOWN = /^[A-Za-z0-9_.[\]-]{1,64}$/;
const MAX_SHOWN = 32;

/** Returns the names of fields for the header `X-Ignored-Params`: each once, only valid header text, at most 32. */
export function shownIgnoredParams(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => SHOWN.test(name)).slice(0, MAX_SHOWN);
}
