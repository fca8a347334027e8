/** A measure of a result, such as its width or duration; undefined unless it is a number above 0. */
export function measureOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
