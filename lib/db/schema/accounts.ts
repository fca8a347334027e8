import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Role, Scope } from '../../domain/caller';
import type { LimitPeriod } from '../../domain/clock';
import type { InvitationId, KeyId, OrgId, ProjectId, UserId } from '../../domain/ids';
import type { LimitOverrides, LimitValues } from '../../domain/limits';
import type { Mode } from '../../domain/video';
import { instant } from './instant';

/**
 * What an organisation, a project or a key allows (lib/domain/policy.ts). A list that is null allows everything; without
 * a price there is no ceiling.
 */
const policyColumns = {
  allowedModels: text('allowed_models').array(),
  allowedProviders: text('allowed_providers').array(),
  allowedRegions: text('allowed_regions').array(),
  allowedEndpoints: text('allowed_endpoints').array(),
  allowedAddresses: text('allowed_addresses').array(),
  /** The highest price of one video, message or spoken text. */
  maxRequestNanoUsd: bigint('max_request_nano_usd', { mode: 'bigint' }),
  /** The highest price of a minute of transcription. */
  maxMinuteNanoUsd: bigint('max_minute_nano_usd', { mode: 'bigint' }),
};

export interface ReplacedSecret {
  /** Encrypted like the current one. */
  readonly secret: string;
  /** ISO time. */
  readonly until: string;
}

export const organizations = pgTable(
  'organizations',
  {
    id: text().primaryKey().$type<OrgId>(),
    name: text().notNull(),
    /** When the operator suspended the organisation; null if it is not suspended. */
    suspendedAt: instant('suspended_at'),
    /** When it is erased; until then an owner can restore it. Null: it is not to be deleted. */
    deletesAt: instant('deletes_at'),
    /** When the organisation was erased. Since then only its ledger, its sums and the names of its keys are left. */
    erasedAt: instant('erased_at'),
    /** Encrypted with MASTER_KEY (lib/accounts/seal.ts); the plain form is `whsec_…`. */
    webhookSecret: text('webhook_secret').notNull(),
    /** Also signs until `previousWebhookSecretUntil`. */
    previousWebhookSecret: text('previous_webhook_secret'),
    previousWebhookSecretUntil: instant('previous_webhook_secret_until'),
    /**
     * The secrets that were replaced before the previous one, if there were several rotations within its time. They
     * also sign until their own time is over.
     */
    olderWebhookSecrets: jsonb('older_webhook_secrets').notNull().default([]).$type<readonly ReplacedSecret[]>(),
    /** Whether an SDK's automatic retry is answered with the first video (docs/api.md, "Idempotency"). */
    replayRetries: boolean('replay_retries').notNull().default(true),
    /** For how many days the conversations of messages are kept; null: not at all. */
    keepMessagesDays: integer('keep_messages_days'),
    /** For how many days the texts of speech are kept; null: not at all. */
    keepSpeechDays: integer('keep_speech_days'),
    /** The limits of the organisation that differ from the configured ones (lib/domain/limits.ts). */
    limits: jsonb().$type<LimitOverrides>(),
    ...policyColumns,
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('organizations_list').on(table.createdAt, table.id)],
);

export const users = pgTable('users', {
  id: text().primaryKey().$type<UserId>(),
  /** Lower case. */
  email: text().notNull().unique(),
  name: text(),
  /**
   * scrypt with its parameters (lib/accounts/password.ts); null for people who sign in only with an external service.
   */
  passwordHash: text('password_hash'),
  /**
   * When the person proved that they receive mail there; null: unverified. External services may sign in only to
   * verified addresses.
   */
  emailVerifiedAt: instant('email_verified_at'),
  /**
   * Whether the account was created with an invitation to this address. The person who invited also knows the link, so
   * a password that was set before the address was verified is removed by the verification.
   */
  invited: boolean().notNull().default(false),
  /** Incremented to end all sign-ins of this person. */
  sessionVersion: integer('session_version').notNull().default(1),
  /**
   * Since when the person operates the installation in the console; null: they do not (docs/decisions/operators.md).
   */
  operatorSince: instant('operator_since'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const members = pgTable(
  'members',
  {
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text().notNull().$type<Role>(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When the person last used the console for this organisation; exact to some minutes. */
    lastSeenAt: instant('last_seen_at'),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.userId] }), index('members_user').on(table.userId)],
);

/** Links with which people join an organisation; each is used by one conditional delete. */
export const invitations = pgTable(
  'invitations',
  {
    id: text().primaryKey().$type<InvitationId>(),
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token in the link, hex. The token itself is stored nowhere. */
    hash: text().notNull(),
    role: text().notNull().$type<Role>(),
    /** Lower case. Only an account with this address can use the link; null: anyone who has the link. */
    email: text(),
    /** The person who made the invitation. It ends with the rights of this person. */
    invitedBy: text('invited_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_hash').on(table.hash),
    index('invitations_org').on(table.orgId, table.createdAt),
    index('invitations_expiry').on(table.expiresAt),
  ],
);

/** A named group of keys with its own budget, which counts live and test credits separately, and its own policy. */
export const projects = pgTable(
  'projects',
  {
    id: text().primaryKey().$type<ProjectId>(),
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    limitNanoUsd: bigint('limit_nano_usd', { mode: 'bigint' }),
    limitPeriod: text('limit_period').$type<LimitPeriod>(),
    ...policyColumns,
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('projects_name').on(table.orgId, sql`lower(${table.name})`)],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey().$type<KeyId>(),
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    mode: text().notNull().$type<Mode>(),
    name: text().notNull(),
    /** SHA-256 of the whole key, hex. The key itself is stored nowhere. */
    hash: text().notNull(),
    /** For display: `pb_live_` and the last four characters. */
    prefix: text().notNull(),
    lastFour: text('last_four').notNull(),
    scopes: text().array().notNull().$type<Scope[]>(),
    projectId: text('project_id')
      .$type<ProjectId>()
      .references(() => projects.id),
    ...policyColumns,
    limitNanoUsd: bigint('limit_nano_usd', { mode: 'bigint' }),
    limitPeriod: text('limit_period').$type<LimitPeriod>(),
    /** The key's own rates and levels, within those of the organisation; null: the configured ones. */
    limits: jsonb().$type<LimitValues>(),
    /** The role of its maker at that time; with the scope `manage` the key acts with at most this role. */
    role: text().notNull().$type<Role>().default('admin'),
    /** The person who created it, or who created the key that created it. */
    createdBy: text('created_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /**
     * Whether the key was created by the operator of the installation, or by such a key. It then has no maker who could
     * leave the organisation.
     */
    byOperator: boolean('by_operator').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    expiresAt: instant('expires_at'),
    disabledAt: instant('disabled_at'),
    revokedAt: instant('revoked_at'),
    /** The key that this one replaces. */
    rotatedFrom: text('rotated_from').$type<KeyId>(),
    /**
     * The key that this key's spending is counted under, if it is not counted under this key: keys that were created by
     * or rotated from one another share one limit.
     */
    spendKeyId: text('spend_key_id').$type<KeyId>(),
  },
  (table) => [
    uniqueIndex('api_keys_hash').on(table.hash),
    index('api_keys_org').on(table.orgId, table.createdAt),
    // Finds the keys that share a limit.
    index('api_keys_spend').on(sql`coalesce(${table.spendKeyId}, ${table.id})`),
    index('api_keys_project')
      .on(table.projectId)
      .where(sql`${table.projectId} is not null`),
  ],
);

/** The owner of a spend limit: a key, together with the keys that share its limit, or a project. */
export type SpendScopeId = KeyId | ProjectId;

/**
 * The spending within a limit in one of its periods, holds included. The statement that opens a hold compares it with
 * the limit and adds to it (lib/billing/replace-hold.ts).
 */
export const spending = pgTable(
  'spending',
  {
    scopeId: text('scope_id').notNull().$type<SpendScopeId>(),
    /** The mode of the key. A project can have keys of both. */
    mode: text().notNull().$type<Mode>(),
    /** ISO date of the period's first day; `total` for limits that never reset. */
    period: text().notNull(),
    spentNanoUsd: bigint('spent_nano_usd', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    primaryKey({ columns: [table.scopeId, table.mode, table.period] }),
    // For the deletion by age.
    index('spending_period')
      .on(table.period)
      .where(sql`${table.period} <> 'total'`),
  ],
);
