/**
 * The pause that a `Retry-After` header names, in milliseconds from `now`: whole or fractional seconds, or a date (0 if it is
 * past). Undefined without a header and for any other text. A pause longer than `maxMs` is shortened to it.
 */
export function parseRetryAfter(
  header: string | readonly string[] | undefined,
  now: Date,
  maxMs = Infinity,
): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxMs);
}
