import type { MediaReach } from '../catalog/binding-fit';
import type { CurrentCatalog } from '../catalog/catalog';
import type { Database } from '../db/database';
import { listModelHistory, type ProviderHistory } from '../db/model-history';
import type { Account } from '../domain/caller';
import type { Messages } from '../messages/messages';
import type { ServedBy } from '../routing/provider-directory';
import { utcDay, type Clock } from '../domain/clock';
import type { Routers } from '../routing/router';
import { createQuoteRequest } from './quote-request';
import type { RequestQuote } from '../contract/quotes';
import { createLedgerReports, type LedgerReports } from './ledger-reports';
import { createStatements, type Statements } from './statements';
import { createUsageReports, type UsageReports } from './usage-reports';

// The prices and past performance of models, and the reports of usage.

export interface Usage {
  /**
   * Returns the current price of a request; see `createQuoteRequest` for the fields. Makes no hold, calls no provider.
   */
  quote(by: ServedBy, request: Readonly<Record<string, unknown>>): RequestQuote;
  /** A model's performance for this account in the last 30 days, by provider; empty without data. */
  history(account: Account, model: string): Promise<readonly ProviderHistory[]>;
  readonly reports: UsageReports;
  readonly ledger: LedgerReports;
  readonly statements: Statements;
}

export const HISTORY_DAYS = 30;
const DAY_MS = 86_400_000;

export function createUsage(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly catalog: CurrentCatalog;
  readonly routers: Routers;
  readonly mediaReach: MediaReach;
  readonly messages: Pick<Messages, 'estimate'>;
}): Usage {
  const { db, clock, catalog } = deps;
  return {
    quote: createQuoteRequest(deps),
    reports: createUsageReports(deps),
    ledger: createLedgerReports(deps),
    statements: createStatements(deps),
    async history(account, name) {
      const model = catalog().find(name);
      if (!model) return [];
      // Today and the days before it.
      return listModelHistory(db, account, model.id, utcDay(clock.nowMs() - (HISTORY_DAYS - 1) * DAY_MS));
    },
  };
}
