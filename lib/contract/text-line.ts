import { z } from 'zod';

/** Control characters and lone surrogates: a Postgres text cannot hold U+0000, and no name needs them. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * The schema of a text of one line for people, trimmed, of 1 to `max` characters. `rule` is the error message about
 * `param`.
 */
export function textLine(rule: string, param: string, max: number) {
  return z
    .string(rule)
    .trim()
    .min(1, rule)
    .max(max, rule)
    .refine((text) => !UNPRINTABLE.test(text), {
      error: `${param} must not contain control characters.`,
      params: { code: 'invalid_character' },
    });
}
