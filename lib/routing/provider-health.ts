import type { Clock } from '../domain/clock';
import type { ProviderId } from '../domain/ids';

// Who failed lately. Kept in memory, per process: it only changes the order in which providers are asked, never whether
// the last one is. Faults of the caller (refused content, bad values) do not count.

/** Five failures in a row put a provider behind the others, as long as this; each further one doubles it. */
const FAILURES = 5;
const BASE_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;

export interface ProviderHealth {
  succeeded(provider: ProviderId): void;
  failed(provider: ProviderId): void;
  /** The same bindings, those of ailing providers last. */
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
