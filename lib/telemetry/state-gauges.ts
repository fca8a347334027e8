import { Gauge, type Registry } from 'prom-client';
import type { OpenHolds } from '../db/ledger';
import type { PoolState } from '../db/database';
import type { Clock } from '../domain/clock';
import type { Mode } from '../domain/video';
import type { QueueDepth } from '../jobs/queue-state';
import { providerOfHealthKey, type UnhealthyRoute } from '../routing/provider-health';

// The gauges. They are read only when the metrics are scraped, so they cost nothing otherwise. The queue and the holds
// are those of the whole installation: every process reports the same numbers, so a query takes their maximum.

/** The waiting and running work, as stored in the database. */
export interface StoredState {
  readonly queue: readonly QueueDepth[];
  readonly holds: readonly OpenHolds[];
}

export interface StateSources {
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** May reject; then its gauges have no value. */
  readonly readStored: () => Promise<StoredState>;
  /** `redis` is undefined if Redis is not configured. */
  readonly readReadiness: () => Promise<{
    readonly ready: boolean;
    readonly database: boolean;
    readonly redis: boolean | undefined;
  }>;
  readonly sessions: () => Readonly<Record<string, number>>;
  readonly circuits: () => readonly UnhealthyRoute[];
  /** The connection pools, by the work that they are for. */
  readonly pools: Readonly<Record<string, () => PoolState>>;
  readonly isOverloaded: (mode: Mode) => boolean;
}

/** Several scrapes within this time share one reading. */
const KEEP_MS = 5_000;
/** Scrapers give up after 10 s by default. */
const READ_TIMEOUT_MS = 3_000;
const MODES: readonly Mode[] = ['live', 'test'];

/** Adds the metrics whose values are read when they are scraped. */
export function addStateGauges(
  registry: Registry,
  { version, role }: { readonly version: string; readonly role: string },
  sources: StateSources,
): void {
  /** Adds a gauge. At each scrape its values are removed and `read` sets new ones; if `read` rejects, it has none. */
  function gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (set: (labels: Partial<Record<Label, string>>, value: number) => void) => void | Promise<void>,
  ): void {
    const made: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        made.reset();
        // Without labels a reset gauge is 0.
        if (labelNames.length === 0) made.remove();
        try {
          await read((labels, value) => made.set(labels, value));
        } catch {
          // Ignored, because the other metrics must be readable without a database.
        }
      },
    });
  }

  const stored = keepFor(sources, sources.readStored);

  gauge('patchbay_info', 'Version and role of the process; always 1.', ['version', 'role'], (set) =>
    set({ version, role }, 1),
  );
  gauge('patchbay_ready', '1 while /readyz answers 200.', [], async (set) =>
    set({}, Number((await sources.readReadiness()).ready)),
  );
  gauge('patchbay_backend_up', '1 while the database, or Redis, answers.', ['backend'], async (set) => {
    const { database, redis } = await sources.readReadiness();
    set({ backend: 'database' }, Number(database));
    if (redis !== undefined) set({ backend: 'redis' }, Number(redis));
  });
  gauge('patchbay_overloaded', '1 while new work of the mode is refused because of overload.', ['mode'], (set) => {
    for (const mode of MODES) set({ mode }, Number(sources.isOverloaded(mode)));
  });

  gauge(
    'patchbay_jobs_waiting',
    'Jobs that are due and not yet claimed, in the installation.',
    ['kind'],
    async (set) => {
      for (const { kind, waiting } of (await stored()).queue) set({ kind }, waiting);
    },
  );
  gauge(
    'patchbay_jobs_oldest_wait_seconds',
    'How long the oldest waiting job has been due; 0 if none waits.',
    ['kind'],
    async (set) => {
      for (const { kind, oldestWaitMs } of (await stored()).queue) set({ kind }, oldestWaitMs / 1_000);
    },
  );
  gauge('patchbay_jobs_running', 'Jobs that a process runs now, in the installation.', ['kind'], async (set) => {
    for (const { kind, running } of (await stored()).queue) set({ kind }, running);
  });
  gauge(
    'patchbay_open_holds',
    'Credit holds that are open, in the installation. Those of videos are the queued and running videos.',
    ['subject', 'mode'],
    async (set) => {
      for (const { subject, mode, count } of (await stored()).holds) set({ subject, mode }, count);
    },
  );
  gauge('patchbay_open_holds_usd', 'The amount of the open holds.', ['subject', 'mode'], async (set) => {
    for (const { subject, mode, usd } of (await stored()).holds) set({ subject, mode }, usd);
  });
  gauge('patchbay_oldest_hold_seconds', 'Age of the oldest open hold.', ['subject', 'mode'], async (set) => {
    for (const { subject, mode, oldestMs } of (await stored()).holds) set({ subject, mode }, oldestMs / 1_000);
  });

  gauge('patchbay_audio_sessions', 'Open speech sessions of the process.', ['kind'], (set) => {
    for (const [kind, count] of Object.entries(sources.sessions())) set({ kind }, count);
  });
  gauge(
    'patchbay_provider_circuits',
    'Models of a provider whose circuit breaker is open or half_open, or that cool down, in this process.',
    ['provider', 'state'],
    (set) => {
      const counts = new Map<string, { provider: string; state: string; count: number }>();
      for (const { key, state } of sources.circuits()) {
        // The model and the credential of an organisation are left out.
        const provider = providerOfHealthKey(key);
        const name = `${provider} ${state}`;
        const counted = counts.get(name) ?? { provider, state, count: 0 };
        counted.count += 1;
        counts.set(name, counted);
      }
      for (const { provider, state, count } of counts.values()) set({ provider, state }, count);
    },
  );
  gauge(
    'patchbay_database_connections',
    'Connections of the process to the database, idle or in use.',
    ['pool', 'state'],
    (set) => {
      for (const [pool, read] of Object.entries(sources.pools)) {
        const { open, idle } = read();
        set({ pool, state: 'idle' }, idle);
        set({ pool, state: 'used' }, open - idle);
      }
    },
  );
  gauge(
    'patchbay_database_connections_max',
    'The maximum number of connections that the pool opens.',
    ['pool'],
    (set) => {
      for (const [pool, read] of Object.entries(sources.pools)) set({ pool }, read().max);
    },
  );
  gauge('patchbay_database_waiting_queries', 'Queries that wait for a connection.', ['pool'], (set) => {
    for (const [pool, read] of Object.entries(sources.pools)) set({ pool }, read().waiting);
  });
}

/** Shares a reading for KEEP_MS. Rejects if it takes longer than READ_TIMEOUT_MS. */
function keepFor<T>({ clock }: Pick<StateSources, 'clock'>, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly atMs: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = clock.nowMs();
    if (!kept || now - kept.atMs >= KEEP_MS) {
      kept = { atMs: now, value: within(clock, read()) };
      // Handled by the callers that wait for the value; without a handler here, the rejection would end the process.
      kept.value.catch(() => undefined);
    }
    return kept.value;
  };
}

function within<T>(clock: Pick<Clock, 'after'>, reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(READ_TIMEOUT_MS, () => reject(new Error('The state was not read in time.')));
    reading.finally(cancel).then(resolve, reject);
  });
}
