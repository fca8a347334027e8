/** A value that survives `JSON.stringify` and back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
