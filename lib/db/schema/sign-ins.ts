import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { AuditId, KeyId, OrgId, SignInId, UserId } from '../../domain/ids';
import { organizations, users } from './accounts';
import { instant } from './instant';

/** The active sign-ins. A cookie whose sign-in is not here is not valid. */
export const signIns = pgTable(
  'sign_ins',
  {
    /** The sign-in's random id. The only copy outside this table is in the encrypted cookie. */
    id: text().primaryKey().$type<SignInId>(),
    userId: text('user_id')
      .notNull()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    /**
     * The first sign-in of this browser since it last signed out, replaced by this one; its own id if there was none.
     */
    originId: text('origin_id').notNull().$type<SignInId>(),
    /** The person's version when they signed in; a later version ends the sign-in. */
    sessionVersion: integer('session_version').notNull(),
    /** When the identity was last proven (a password or an alternative). Proving it again creates a new sign-in. */
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_ins_user').on(table.userId), index('sign_ins_origin').on(table.originId)],
);

/** External accounts that sign in to a person here. */
export const identities = pgTable(
  'identities',
  {
    /** `github` or `google`. */
    service: text().notNull(),
    /** The service's own id of the account: an e-mail address may be reassigned, an id is not. */
    accountId: text('account_id').notNull(),
    userId: text('user_id')
      .notNull()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.service, table.accountId] }), index('identities_user').on(table.userId)],
);

/** E-mailed sign-in links; each is used by one conditional delete. */
export const signInLinks = pgTable(
  'sign_in_links',
  {
    /** SHA-256 of the token, hex. Only the e-mail contains the token itself. */
    hash: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_in_links_expiry').on(table.expiresAt)],
);

/** Security-relevant actions, kept for AUDIT_RETENTION_DAYS. Contains no secrets. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: text().primaryKey().$type<AuditId>(),
    /** Null if the operator did something about the installation. */
    orgId: text('org_id')
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /**
     * Kept after the person or the key is deleted, because the log is about them. Neither of the two: the operator of
     * the installation.
     */
    userId: text('user_id').$type<UserId>(),
    keyId: text('key_id').$type<KeyId>(),
    /** Whether it was done for the installation: by a person who operates it, or with the operator's token. */
    byOperator: boolean('by_operator').notNull().default(false),
    /** Such as `key.created`. */
    action: text().notNull(),
    /** The id of the changed object. */
    target: text(),
    /** What the id does not say, such as a new role. No secrets. */
    detail: text(),
    /** The network address of the request; null for the operator. */
    address: text(),
    at: instant('at').notNull(),
  },
  (table) => [
    index('audit_entries_org').on(table.orgId, table.at, table.id),
    index('audit_entries_age').on(table.at),
    index('audit_entries_operator')
      .on(table.at, table.id)
      .where(sql`${table.byOperator}`),
  ],
);
