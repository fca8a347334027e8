import type { Fields } from './json';

// Token counts as upstreams report them. A count that cannot be true is treated as not reported: its charge would be
// absurd, and the columns of `messages` could not hold it.

/**
 * A hundred times the longest context of the catalog, because a provider that runs its own tools may read the context
 * many times for one message. The integer columns of `messages` hold twenty times as much.
 */
export const MAX_TOKEN_COUNT = 100_000_000;

/** Returns a count that can be true; undefined for any other value. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKEN_COUNT
    ? value
    : undefined;
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];

/** Returns the usage of the messages API without counts that cannot be true; the same object if it has none. */
export function withoutFalseCounts(usage: Fields): Fields {
  const isFalse = ([name, value]: [string, unknown]) =>
    COUNTS.includes(name) && value !== null && value !== undefined && tokenCount(value) === undefined;
  const entries = Object.entries(usage);
  return entries.some(isFalse) ? Object.fromEntries(entries.filter((entry) => !isFalse(entry))) : usage;
}
