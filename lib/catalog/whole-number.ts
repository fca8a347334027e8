/** Parses 5 and "5" as 5; anything else (5.5, "5s", "", -1, NaN, objects) gives undefined. At most seven digits. */
export function parseWholeNumber(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}
