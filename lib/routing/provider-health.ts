import type { Clock } from '../domain/clock';
import type { ProviderId } from '../domain/ids';

// Tracks recent failures of providers. Kept in memory, per process. It changes only the order in which providers are
// tried, and never excludes one. Errors of the caller (refused content, invalid values) do not count.

/** After five failures in a row a provider is tried last for this long; each further failure doubles the time. */
const FAILURES = 5;
const BASE_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;

export interface ProviderHealth {
  succeeded(provider: ProviderId): void;
  failed(provider: ProviderId): void;
  /** The same bindings, with those of failing providers last. */
  order<B extends { readonly providerId: ProviderId }>(bindings: readonly B[]): readonly B[];
}

export function createProviderHealth(clock: Clock): ProviderHealth {
  const failures = new Map<ProviderId, { inRow: number; until: number }>();
  const isAiling = (id: ProviderId) => (failures.get(id)?.until ?? 0) > clock.nowMs();
  return {
    succeeded(provider) {
      failures.delete(provider);
    },
    failed(provider) {
      const inRow = (failures.get(provider)?.inRow ?? 0) + 1;
      const pauseMs = inRow < FAILURES ? 0 : Math.min(BASE_PAUSE_MS * 2 ** (inRow - FAILURES), MAX_PAUSE_MS);
      failures.set(provider, { inRow, until: clock.nowMs() + pauseMs });
    },
    order(bindings) {
      return [
        ...bindings.filter(({ providerId }) => !isAiling(providerId)),
        ...bindings.filter(({ providerId }) => isAiling(providerId)),
      ];
    },
  };
}
