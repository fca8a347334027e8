import type { InstallationStatusJson } from '../contract/installation';
import type { Db } from '../db/database';
import { unixSeconds, type Clock } from '../domain/clock';
import type { Health } from '../health/check-health';
import { readQueueState } from '../jobs/queue-state';
import type { LoadMonitor } from '../limits/overload';
import type { ProviderHealth, UnhealthyRoute } from '../routing/provider-health';

// The state of the installation: the queue of all processes, and the health of this one.

export type ReadStatus = () => Promise<InstallationStatusJson>;

export interface InstallationStatusDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The version of the product. */
  readonly version: string;
  readonly role: InstallationStatusJson['process']['role'];
  readonly health: Health;
  readonly load: LoadMonitor;
  readonly circuits: Pick<ProviderHealth, 'list'>;
  /** Absent without CATALOG_FILE. */
  readonly catalogFile?: { readonly path: string; errors(): readonly string[] } | undefined;
  readonly providers: InstallationStatusJson['providers'];
}

export function createInstallationStatus(deps: InstallationStatusDeps): ReadStatus {
  const { db, clock, version, role, health, load, circuits, catalogFile, providers } = deps;
  const startedAt = unixSeconds(clock.now());

  return async () => {
    const { health: checked } = await health.check(new Set());
    const { kinds, running } = await readQueueState(db);
    const { loopDelayMs, waitingQueries } = load.latest();
    return {
      object: 'installation_status',
      versions: { patchbay: version, node: process.versions.node },
      process: {
        role,
        started_at: startedAt,
        event_loop_delay_ms: Math.round(loopDelayMs * 10) / 10,
        waiting_queries: waitingQueries,
        overloaded: { live: load.isOverloaded('live'), test: load.isOverloaded('test') },
      },
      health: checked,
      queue: {
        kinds: kinds.map(({ oldestWaitMs, ...kind }) => ({
          ...kind,
          oldest_wait_seconds: oldestWaitMs === undefined ? null : Math.round(oldestWaitMs / 100) / 10,
        })),
        running: running.map(({ orgId, ...job }) => ({ ...job, organization: orgId })),
      },
      circuits: circuits.list().map(presentCircuit),
      catalog_file: catalogFile ? { path: catalogFile.path, errors: [...catalogFile.errors()] } : null,
      providers,
    };
  };
}

function presentCircuit({ key, state, untilMs }: UnhealthyRoute): InstallationStatusJson['circuits'][number] {
  // The key of `healthKeyOf`: none of its parts has a space.
  const [provider = '', model = '', ownAccount = null] = key.split(' ');
  return {
    provider,
    model,
    own_account: ownAccount,
    state,
    until: untilMs === undefined ? null : Math.ceil(untilMs / 1000),
  };
}
