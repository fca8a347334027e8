import { errorForLog } from '../domain/errors';
import type { AttemptCounters } from '../accounts/attempt-counters';
import type { Log } from '../domain/log';

// Redis is optional. It announces changed keys, so that every instance reloads a key immediately and not after the five
// seconds for which keys are cached; and it counts sign-in attempts for all instances together. Jobs and money never
// depend on it.

const KEY_CHANNEL = 'patchbay:key-changed';
const ATTEMPTS = 'patchbay:attempts:';

export interface Redis {
  /** Rejects while Redis cannot be reached. */
  readonly attempts: AttemptCounters;
  ping(): Promise<void>;
  /** Announces to the other instances that the key with this hash must be reloaded. Never waits and never fails. */
  announceKey(hash: string): void;
  /** Calls `run` for announcements of other instances. */
  onKey(changed: (hash: string) => void): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects in the background. If Redis is unreachable, the health check reports it, and only key changes take longer.
 */
export async function openRedis(url: string, log: Log): Promise<Redis> {
  // Most installations have no Redis, and loading its client takes a quarter of a second.
  const { createClient } = await import('redis');
  const options = {
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries: number) => Math.min(100 * 2 ** retries, 5_000) },
  };
  const client = createClient(options);
  const subscriber = createClient({ ...options, disableOfflineQueue: false });
  for (const each of [client, subscriber]) {
    each.on('error', (error: unknown) => log.debug('redis is not reachable', { error: errorForLog(error) }));
    // The error event above has reported it; the client keeps retrying.
    each.connect().catch(() => undefined);
  }
  return {
    attempts: {
      async add(name, windowMs) {
        const key = ATTEMPTS + name;
        const [, count, endsInMs] = await client
          .multi()
          .set(key, 0, { PX: windowMs, NX: true })
          .incr(key)
          .pTTL(key)
          .exec();
        return { count: Number(count), endsInMs: Number(endsInMs) };
      },
      async takeBack(name) {
        // If the window has ended meanwhile, there is nothing to take back and no counter may be created.
        await client.eval("if redis.call('exists', KEYS[1]) == 1 then redis.call('decr', KEYS[1]) end", {
          keys: [ATTEMPTS + name],
        });
      },
    },
    async ping() {
      await client.ping();
    },
    announceKey(hash) {
      client
        .publish(KEY_CHANNEL, hash)
        .catch(() =>
          log.warn('a changed key could not be announced to other instances; they learn of it within 5 seconds'),
        );
    },
    async onKey(changed) {
      await subscriber.subscribe(KEY_CHANNEL, changed);
    },
    async close() {
      for (const each of [client, subscriber]) each.destroy();
    },
  };
}
