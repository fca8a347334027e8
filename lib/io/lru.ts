import { LRUCache } from 'lru-cache';

/**
 * A cache that forgets what was used the longest time ago when it has more than `maxEntries`; `onEvict` gets what it
 * forgets then. It grows with its entries: with the option `max`, the library allocates everything at the start, which
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
