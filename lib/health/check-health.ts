import type { ConnectionJson, HealthJson } from '../contract/health';
import type { Clock } from '../domain/clock';

// The health response of the specification. Each check takes at most a second and its result is cached for a second, so
// that frequent polling does not become load.

export type HealthCheck = 'redis' | 'database';

export interface Health {
  check(skip: ReadonlySet<HealthCheck>): Promise<HealthJson>;
}

const CHECK_MS = 1_000;
const KEEP_MS = 1_000;
const SKIPPED: ConnectionJson = { connected: true, error: '' };

export function createHealth(deps: {
  readonly version: string;
  readonly clock: Clock;
  readonly pingDatabase: () => Promise<void>;
  /** Absent when Redis is not configured. */
  readonly pingRedis?: () => Promise<void>;
}): Health {
  const database = keep(deps.clock, () => probe(deps.clock, deps.pingDatabase, 'the database'));
  const { pingRedis } = deps;
  const redis = pingRedis && keep(deps.clock, () => probe(deps.clock, pingRedis, 'Redis'));
  const noRedis: ConnectionJson = { connected: false, error: 'not configured; in-process store in use' };

  return {
    async check(skip) {
      const [databaseResult, redisResult] = await Promise.all([
        skip.has('database') ? SKIPPED : database(),
        skip.has('redis') ? SKIPPED : redis ? redis() : noRedis,
      ]);
      const down: string[] = [];
      // Without a configured Redis the in-process store is used, which is healthy.
      if (!redisResult.connected && redis) down.push('Redis');
      if (!databaseResult.connected) down.push('Database');
      return {
        message: down.length
          ? `Service Unavailable - ${down.join(' and ')} ${down.length > 1 ? 'are' : 'is'} unavailable`
          : 'OK',
        version: deps.version,
        health: { status: down.length ? 'error' : 'ok', redis: redisResult, database: databaseResult },
      };
    },
  };
}

async function probe(clock: Clock, ping: () => Promise<void>, name: string): Promise<ConnectionJson> {
  const stop = new AbortController();
  const late = clock.sleep(CHECK_MS, stop.signal).then(() => 'late' as const);
  try {
    const first = await Promise.race([ping().then(() => 'ok' as const), late]);
    return first === 'ok' ? SKIPPED : { connected: false, error: `${name} did not answer within 1 s` };
  } catch {
    return { connected: false, error: `${name} could not be reached` };
  } finally {
    stop.abort();
  }
}

/** Caches a result for KEEP_MS; concurrent callers share the running check. */
function keep(clock: Clock, run: () => Promise<ConnectionJson>): () => Promise<ConnectionJson> {
  let kept: { at: number; result: Promise<ConnectionJson> } | undefined;
  return () => {
    const now = clock.nowMs();
    if (!kept || now - kept.at >= KEEP_MS) kept = { at: now, result: run() };
    return kept.result;
  };
}
