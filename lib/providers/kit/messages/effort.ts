import type { Effort } from '../../../domain/messages';

const ascending: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Returns the nearest level that the vendor has; of two equally near ones the higher. */
export function nearestEffort(wanted: Effort | undefined, levels: readonly Effort[]): Effort | undefined {
  if (wanted === undefined) return undefined;
  const distance = (level: Effort) => Math.abs(ascending.indexOf(level) - ascending.indexOf(wanted));
  return levels.toSorted((a, b) => distance(a) - distance(b) || ascending.indexOf(b) - ascending.indexOf(a))[0];
}
