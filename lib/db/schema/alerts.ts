import { bigint, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AlertId, OrgId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import { organizations } from './accounts';
import { instant } from './instant';

/** `low_balance`: available credits below the amount · the others: spent at least the amount in a day or month of UTC. */
export type AlertKind = 'low_balance' | 'daily_spend' | 'monthly_spend';

/** A threshold of an account whose crossing is announced to the owners. */
export const alerts = pgTable(
  'alerts',
  {
    id: text().primaryKey().$type<AlertId>(),
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    mode: text().notNull().$type<Mode>(),
    kind: text().notNull().$type<AlertKind>(),
    amountNanoUsd: bigint('amount_nano_usd', { mode: 'bigint' }).notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * The period in which the threshold was last crossed: a day or month of UTC, or `low` while the balance is low. Set by
     * the one statement that may announce the crossing, so it is announced once.
     */
    crossedPeriod: text('crossed_period'),
    crossedAt: instant('crossed_at'),
    /** The balance or the spending at that time. */
    crossedNanoUsd: bigint('crossed_nano_usd', { mode: 'bigint' }),
  },
  (table) => [
    uniqueIndex('alerts_threshold').on(table.orgId, table.mode, table.kind, table.amountNanoUsd),
    index('alerts_list').on(table.orgId, table.mode, table.createdAt),
  ],
);
