import { errorForLog } from '../domain/errors';
import type { AttemptCounters } from '../accounts/attempt-counters';
import type { Log } from '../domain/log';

// Redis is optional. It carries announcements: that a key was changed, so that every instance reads it again at once and
// not after the five seconds for which keys are remembered; and it counts attempts to sign in for all instances together. Jobs and
// money never depend on it.

const KEY_CHANNEL = 'patchbay:key-changed';
const ATTEMPTS = 'patchbay:attempts:';

export interface Redis {
  /** Rejects while Redis cannot be reached. */
  readonly attempts: AttemptCounters;
  ping(): Promise<void>;
  /** Tells the other instances that the key with this hash must be read again. Never waits and never fails. */
  announceKey(hash: string): void;
  /** Calls back for announcements of other instances. */
  onKey(changed: (hash: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** Connects in the background: an unreachable Redis is reported by the health check and costs nothing but freshness. */
export async function openRedis(url: string, log: Log): Promise<Redis> {
  // Most installations have none, and its client takes a quarter of a second to load.
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
    // The error above has said it; the strategy goes on trying.
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
        // Where the span has ended meanwhile, there is nothing to take back, and nothing must be left behind.
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
