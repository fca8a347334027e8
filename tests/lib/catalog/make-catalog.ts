import { createCatalog } from '../../../lib/catalog/catalog';
import type { CatalogDeps } from '../../../lib/catalog/catalog';
import type { Clock } from '../../../lib/domain/clock';

/** A clock that stands at an instant; `moveTo` sets it. */
export function standingClock(instant: string): Clock & { moveTo(instant: string): void } {
  let now = new Date(instant);
  return {
    now: () => now,
    nowMs: () => now.getTime(),
    after: () => () => undefined,
    sleep: () => Promise.resolve(),
    moveTo: (to) => void (now = new Date(to)),
  };
}

/** The project's catalog on an installation that offers only the sandbox by default. */
export function makeCatalog(deps: Partial<CatalogDeps> = {}) {
  return createCatalog({
    offeredProviders: new Set(['sandbox']),
    confirmedPrices: new Set(),
    clock: standingClock('2026-11-21T12:00:00Z'),
    ...deps,
  });
}
