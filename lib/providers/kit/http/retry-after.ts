/** Returns the whole seconds of a `Retry-After` header, at most an hour; undefined for a date or anything else. */
export function secondsOfRetryAfter(value: string | readonly string[] | undefined): number | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(3600, Number(text)) : undefined;
}
