import type { Catalog } from '../catalog/catalog';
import type { Database } from '../db/database';
import { listModelHistory, type ProviderHistory } from '../db/model-history';
import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import type { Router } from '../routing/router';
import { createQuoteRequest, type RequestQuote } from './quote-request';

// What models cost and how they have done, before anybody asks them for anything.

export interface Usage {
  /** What a request would cost now; see `createQuoteRequest` for the fields. Nothing is held and no provider is asked. */
  quote(mode: Account['mode'], request: Readonly<Record<string, unknown>>): RequestQuote;
  /** How a model has done for this account in the last 30 days, by who did the work; empty when there is no data yet. */
  history(account: Account, model: string): Promise<readonly ProviderHistory[]>;
}

export const HISTORY_DAYS = 30;
const DAY_MS = 86_400_000;

export function createUsage(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly router: Router;
}): Usage {
  const { db, clock, catalog } = deps;
  return {
    quote: createQuoteRequest(deps),
    async history(account, name) {
      const model = catalog.find(name);
      if (!model) return [];
      return listModelHistory(db, account, model.id, model.capability, new Date(clock.nowMs() - HISTORY_DAYS * DAY_MS));
    },
  };
}
