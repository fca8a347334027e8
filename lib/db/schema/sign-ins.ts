import { index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import type { AuditId, KeyId, OrgId, UserId } from '../../domain/ids';
import { organizations, users } from './accounts';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Accounts elsewhere that sign in to a person here. */
export const identities = pgTable(
  'identities',
  {
    /** `github` or `google`. */
    service: text().notNull(),
    /** The service's own id of the account: an address may be given away, an id is not. */
    accountId: text('account_id').notNull(),
    userId: text('user_id').notNull().$type<UserId>().references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.service, table.accountId] }), index('identities_user').on(table.userId)],
);

/** Links that were mailed; spent by one conditional delete. */
export const signInLinks = pgTable(
  'sign_in_links',
  {
    /** SHA-256 of the token, hex. The token itself is in the e-mail alone. */
    hash: text().primaryKey(),
    userId: text('user_id').notNull().$type<UserId>().references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_in_links_expiry').on(table.expiresAt)],
);

/** Who did what that matters, kept for a year. Names nothing secret. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: text().primaryKey().$type<AuditId>(),
    orgId: text('org_id').notNull().$type<OrgId>().references(() => organizations.id, { onDelete: 'cascade' }),
    /** Kept when the person or the key is gone: the log is about them. */
    userId: text('user_id').$type<UserId>(),
    keyId: text('key_id').$type<KeyId>(),
    /** Such as `key.created`. */
    action: text().notNull(),
    /** The id of what it was done to. */
    target: text(),
    at: instant('at').notNull(),
  },
  (table) => [index('audit_entries_org').on(table.orgId, table.at, table.id), index('audit_entries_age').on(table.at)],
);
