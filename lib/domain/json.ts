/** A value that `JSON.stringify` and `JSON.parse` preserve. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
