import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CredentialId, OrgId, ProviderId, UserId } from '../../domain/ids';
import { organizations, users } from './accounts';
import { instant } from './instant';

/** The credentials of organisations for their own accounts at providers. */
export const providerCredentials = pgTable(
  'provider_credentials',
  {
    id: text().primaryKey().$type<CredentialId>(),
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    provider: text().notNull().$type<ProviderId>(),
    /**
     * The values of the provider's variables by name, as JSON, encrypted with MASTER_KEY (lib/accounts/seal.ts). Null
     * after its removal, as soon as no video needs it.
     */
    sealed: text(),
    /** For display: the last four characters of its last value. */
    lastFour: text('last_four').notNull(),
    createdBy: text('created_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    /** When it was last verified with the provider, and the result; null before the first time. */
    verifiedAt: instant('verified_at'),
    verification: text().$type<CredentialVerification>(),
    /** Since when the provider refuses it; null while it does not. */
    refusedSince: instant('refused_since'),
    /** When the provider last refused it, recorded at most once a minute. Kept after it is accepted again. */
    lastRefusedAt: instant('last_refused_at'),
    /** When the credential was removed. No new work is sent with it. */
    removedAt: instant('removed_at'),
  },
  (table) => [
    uniqueIndex('provider_credentials_active')
      .on(table.orgId, table.provider)
      .where(sql`${table.removedAt} is null`),
    // Finds the removed ones that are to be erased.
    index('provider_credentials_removed')
      .on(table.removedAt)
      .where(sql`${table.removedAt} is not null and ${table.sealed} is not null`),
  ],
);

/** `unknown`: there was no response, or none that shows whether the credential is valid. */
export type CredentialVerification = 'accepted' | 'refused' | 'unknown';
