import { LRUCache } from 'lru-cache';

/**
 * Creates a cache that evicts the least recently used entry when it has more than `maxEntries`, and calls `onEvict`
 * with it. It grows with its entries: with the option `max`, the library would allocate everything at the start, which
 * takes milliseconds and megabytes.
 */
export function createLru<Key extends {}, Value extends {}>(
  maxEntries: number,
  onEvict?: (value: Value) => void,
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({
    maxSize: maxEntries,
    sizeCalculation: () => 1,
    ...(onEvict && {
      dispose: (value, _key, reason) => {
        if (reason === 'evict') onEvict(value);
      },
    }),
  });
}
