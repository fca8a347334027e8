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
