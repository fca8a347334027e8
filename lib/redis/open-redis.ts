import { randomUUID } from 'node:crypto';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { SharedLevels } from '../limits/levels';
import type { SharedWindows } from '../limits/window-counters';

// Redis is optional. It announces changed keys, so that every instance reloads a key immediately instead of after the
// five seconds for which keys are cached, and it counts limits and sign-in attempts of all instances together. Jobs and
// money never depend on it.

const KEY_CHANNEL = 'patchbay:key-changed';
const WINDOWS = 'patchbay:window';
const LEVELS = 'patchbay:level:';
const PROCESSES = 'patchbay:processes';
/** A level expires if no process has reported it for this long. */
const LEVEL_TTL_MS = 60_000;
const PROCESS_TTL_MS = 15_000;

const nowMs = "local t = redis.call('time') local now = t[1] * 1000 + math.floor(t[2] / 1000) ";
/** Lua: sums the fields of KEYS[1] whose process is running, and removes the others. */
const sumOfLiving = `local sum = 0
  local fields = redis.call('hgetall', KEYS[1])
  for at = 1, #fields, 2 do
    local until_ms = redis.call('zscore', KEYS[2], fields[at])
    if until_ms and tonumber(until_ms) > now then sum = sum + math.max(0, tonumber(fields[at + 1]))
    else redis.call('hdel', KEYS[1], fields[at]) end
  end `;
// ARGV: process, maximum, lifetime of a level, lifetime of a process.
const takeLevel = `${nowMs}
  redis.call('zadd', KEYS[2], now + ARGV[4], ARGV[1])
  ${sumOfLiving}
  if sum >= tonumber(ARGV[2]) then return 0 end
  redis.call('hincrby', KEYS[1], ARGV[1], 1)
  redis.call('pexpire', KEYS[1], ARGV[3])
  return 1`;
const readLevel = `${nowMs} ${sumOfLiving} return sum`;
// ARGV: process, lifetime of a level, level.
const setLevel = `if ARGV[3] == '0' then redis.call('hdel', KEYS[1], ARGV[1])
  else redis.call('hset', KEYS[1], ARGV[1], ARGV[3]) redis.call('pexpire', KEYS[1], ARGV[2]) end`;
// ARGV: process, lifetime of a process. Returns the number of living processes.
const reportProcess = `${nowMs}
  redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('zremrangebyscore', KEYS[1], '-inf', now)
  return redis.call('zcard', KEYS[1])`;
// ARGV: points, the longest time that may be left. If the window has ended meanwhile, there is nothing to take back: no
// new counter must be created, and nothing must be taken out of a window that has begun since.
const takeBackPoints = `local left = redis.call('pttl', KEYS[1])
  if left >= 0 and left <= tonumber(ARGV[2]) then redis.call('decrby', KEYS[1], ARGV[1]) end`;

export interface Redis {
  readonly windows: SharedWindows;
  readonly levels: SharedLevels;
  ping(): Promise<void>;
  /** Announces to the other instances that the key with this hash must be reloaded. Never waits and never fails. */
  announceKey(hash: string): void;
  /** Calls `run` for announcements of other instances. */
  onKey(changed: (hash: string) => void): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects in the background. If Redis is unreachable, the health check and the log report it, and only key changes
 * take longer.
 */
export async function openRedis(url: string, log: Log): Promise<Redis> {
  // Most installations have no Redis, and loading its client takes a quarter of a second.
  const [{ createClient }, { RateLimiterRedis }] = await Promise.all([
    import('redis'),
    import('rate-limiter-flexible'),
  ]);
  const options = {
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries: number) => Math.min(100 * 2 ** retries, 5_000) },
  };
  const client = createClient(options);
  const subscriber = createClient({ ...options, disableOfflineQueue: false });
  // The two connections of a process fail together, and each has an error for every attempt to connect again.
  const lost = new Set<unknown>();
  for (const each of [client, subscriber]) {
    each.on('error', (error: unknown) => {
      const fields = { error: errorForLog(error) };
      if (each.isReady || lost.size > 0) log.debug('redis has an error', fields);
      else log.warn('redis cannot be reached; until it is back, this process counts limits and sign-ins alone', fields);
      if (!each.isReady) lost.add(each);
    });
    each.on('ready', () => {
      if (lost.delete(each) && lost.size === 0) log.warn('redis can be reached again');
    });
    // The error event above has reported it; the client keeps retrying.
    each.connect().catch(() => undefined);
  }
  // Only its counters are used: limits and windows differ from call to call, and lib/limits compares them.
  const windows = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    keyPrefix: WINDOWS,
    points: 1,
    duration: 1,
  });
  const processId = randomUUID();
  return {
    windows: {
      async add(name, points, windowMs) {
        const { consumedPoints, msBeforeNext } = await windows.penalty(name, points, {
          customDuration: windowMs / 1_000,
        });
        return { count: consumedPoints, endsInMs: msBeforeNext };
      },
      async takeBack(name, points, endsInMs) {
        await client.eval(takeBackPoints, {
          keys: [windows.getKey(name)],
          arguments: [String(points), String(Math.ceil(endsInMs))],
        });
      },
      async read(name) {
        const window = await windows.get(name);
        return window ? { count: window.consumedPoints, endsInMs: window.msBeforeNext } : undefined;
      },
    },
    levels: {
      async take(name, max) {
        const taken = await client.eval(takeLevel, {
          keys: [LEVELS + name, PROCESSES],
          arguments: [processId, String(max), String(LEVEL_TTL_MS), String(PROCESS_TTL_MS)],
        });
        return taken === 1;
      },
      release(name) {
        // A report corrects the level if this does not arrive.
        client.hIncrBy(LEVELS + name, processId, -1).catch(() => undefined);
      },
      async read(name) {
        return Number(await client.eval(readLevel, { keys: [LEVELS + name, PROCESSES] }));
      },
      async report(levels, ttlMs) {
        const all = levels.map(([name, level]) =>
          client.eval(setLevel, {
            keys: [LEVELS + name],
            arguments: [processId, String(LEVEL_TTL_MS), String(level)],
          }),
        );
        const processes = client.eval(reportProcess, { keys: [PROCESSES], arguments: [processId, String(ttlMs)] });
        const [count] = await Promise.all([processes, ...all]);
        return Number(count);
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
