import { and, asc, eq, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import type { CredentialId, OrgId, ProviderId } from '../domain/ids';
import type { Db, Tx } from './database';
import { lockOrganization } from './people';
import { providerCredentials, users, videos, type CredentialVerification } from './schema/index';
import { isUnfinished } from './videos';

// Queries about the credentials of organisations for their own accounts at providers. Only the two functions whose
// comments say so return the encrypted values.

const { sealed: sealedColumn, ...columns } = {
  id: providerCredentials.id,
  orgId: providerCredentials.orgId,
  provider: providerCredentials.provider,
  lastFour: providerCredentials.lastFour,
  createdBy: providerCredentials.createdBy,
  createdAt: providerCredentials.createdAt,
  verifiedAt: providerCredentials.verifiedAt,
  verification: providerCredentials.verification,
  refusedSince: providerCredentials.refusedSince,
  lastRefusedAt: providerCredentials.lastRefusedAt,
  sealed: providerCredentials.sealed,
};

export interface CredentialRow {
  readonly id: CredentialId;
  readonly orgId: OrgId;
  readonly provider: ProviderId;
  readonly lastFour: string;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly verifiedAt: Date | null;
  readonly verification: CredentialVerification | null;
  readonly refusedSince: Date | null;
  readonly lastRefusedAt: Date | null;
  /** The name of the person who stored it, or the e-mail address. */
  readonly createdByName: string | null;
}

/** A credential with its encrypted values; null: they were erased. */
export interface SealedCredential {
  readonly id: CredentialId;
  readonly provider: ProviderId;
  readonly sealed: string | null;
}

const isActiveOf = (orgId: OrgId) => and(eq(providerCredentials.orgId, orgId), isNull(providerCredentials.removedAt));

/** Lists the credentials in use, by provider, without the encrypted values. */
export async function listCredentials(db: Db, orgId: OrgId): Promise<CredentialRow[]> {
  return db.orm
    .select({ ...columns, createdByName: sql<string | null>`coalesce(${users.name}, ${users.email})` })
    .from(providerCredentials)
    .leftJoin(users, eq(users.id, providerCredentials.createdBy))
    .where(isActiveOf(orgId))
    .orderBy(asc(providerCredentials.provider));
}

/** Lists the credentials in use, with the encrypted values. */
export async function listSealedCredentials(db: Db, orgId: OrgId): Promise<SealedCredential[]> {
  return db.orm
    .select({ id: columns.id, provider: columns.provider, sealed: sealedColumn })
    .from(providerCredentials)
    .where(isActiveOf(orgId));
}

/** Finds a credential, in use or removed, with the encrypted values. */
export async function findSealedCredential(db: Db, id: CredentialId): Promise<SealedCredential | undefined> {
  const [row] = await db.orm
    .select({ id: columns.id, provider: columns.provider, sealed: sealedColumn })
    .from(providerCredentials)
    .where(eq(providerCredentials.id, id));
  return row;
}

/** Stores a credential. It replaces the one that the organisation has for the provider, if any. */
export async function replaceCredential(tx: Tx, credential: typeof providerCredentials.$inferInsert): Promise<void> {
  // Without the lock, the second of two at the same moment would not see the first, which it must replace.
  await lockOrganization(tx, credential.orgId);
  await tx.orm
    .update(providerCredentials)
    .set({ removedAt: credential.createdAt })
    .where(and(isActiveOf(credential.orgId), eq(providerCredentials.provider, credential.provider)));
  await tx.orm.insert(providerCredentials).values(credential);
}

/** Removes a credential. Resolves to false if the organisation has no such credential in use. */
export async function removeCredential(db: Db, orgId: OrgId, id: CredentialId, at: Date): Promise<boolean> {
  const removed = await db.orm
    .update(providerCredentials)
    .set({ removedAt: at })
    .where(and(isActiveOf(orgId), eq(providerCredentials.id, id)))
    .returning({ id: providerCredentials.id });
  return removed.length > 0;
}

/**
 * Stores the result of a verification. `unknown`, for example because there was no answer, verifies nothing: it does
 * not end a refusal, and the time of the last verification stays.
 */
export async function recordVerification(
  db: Db,
  id: CredentialId,
  verification: CredentialVerification,
  at: Date,
): Promise<void> {
  if (verification === 'refused') await recordRefusal(db, id, at);
  if (verification === 'accepted') await recordAcceptance(db, id);
  await db.orm
    .update(providerCredentials)
    .set({ verification, ...(verification !== 'unknown' && { verifiedAt: at }) })
    .where(eq(providerCredentials.id, id));
}

/** Records that the provider has refused a call with the credential. */
export async function recordRefusal(db: Db, id: CredentialId, at: Date): Promise<void> {
  await db.orm
    .update(providerCredentials)
    .set({ refusedSince: sql`coalesce(${providerCredentials.refusedSince}, ${at.toISOString()})`, lastRefusedAt: at })
    .where(eq(providerCredentials.id, id));
}

/**
 * Records that a call with the credential has worked. Writes only if the provider had refused the credential before.
 */
export async function recordAcceptance(db: Db, id: CredentialId): Promise<void> {
  await db.orm
    .update(providerCredentials)
    .set({ refusedSince: null, verification: 'accepted' })
    .where(and(eq(providerCredentials.id, id), isNotNull(providerCredentials.refusedSince)));
}

/**
 * How long after the removal of a credential a video may still be stored that is to be sent with it: processes learn of
 * it within five seconds, and a submission may wait for some more.
 */
const STILL_USED_MS = 60_000;

/** Erases the values of removed credentials that no unfinished video needs. Returns their number. */
export async function eraseRemovedCredentials(db: Db, now: Date): Promise<number> {
  const erased = await db.orm
    .update(providerCredentials)
    .set({ sealed: null })
    .where(
      and(
        lt(providerCredentials.removedAt, new Date(now.getTime() - STILL_USED_MS)),
        isNotNull(providerCredentials.sealed),
        notExists(
          db.orm
            .select({ one: sql`1` })
            .from(videos)
            .where(
              and(
                eq(videos.orgId, providerCredentials.orgId),
                isUnfinished,
                sql`${videos.candidates} @> jsonb_build_array(jsonb_build_object('credentialId', ${providerCredentials.id}))`,
              ),
            ),
        ),
      ),
    )
    .returning({ id: providerCredentials.id });
  return erased.length;
}
