import { customAlphabet } from 'nanoid';

/** Digits, then upper-case letters, then lower-case letters: safe in URLs, headers and file names. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** As many random characters of `BASE62`, each equally likely; 24 of them hold 142 bits. Fit for secrets. */
export const randomBase62: (length: number) => string = customAlphabet(BASE62);
