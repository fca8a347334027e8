import { and, desc, eq, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import { isId, type HoldId, type TransferId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Db, Tx } from './database';
import { creditTransfers, messages, meters, videos } from './schema/index';
import type { RefundedWork } from './usage-days';

// The operator's credit transfers, and the queries they need. lib/billing/ledger.ts moves the credits themselves.

export type CreditTransferRow = typeof creditTransfers.$inferSelect;

const ofAccount = ({ orgId, mode }: Account) => and(eq(creditTransfers.orgId, orgId), eq(creditTransfers.mode, mode));

export async function insertCreditTransfer(tx: Tx, row: CreditTransferRow): Promise<void> {
  await tx.orm.insert(creditTransfers).values(row);
}

export async function findCreditTransfer(
  db: Db,
  account: Account,
  reference: string,
): Promise<CreditTransferRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(creditTransfers)
    .where(and(ofAccount(account), eq(creditTransfers.reference, reference)));
  return row;
}

/**
 * Lists transfers, newest first; with `after`, only older ones. Undefined if the account has no transfer with the id
 * `after`.
 */
export async function listCreditTransfers(
  db: Db,
  account: Account,
  limit: number,
  after?: string,
): Promise<CreditTransferRow[] | undefined> {
  const place =
    after === undefined
      ? undefined
      : db.orm
          .select({ at: creditTransfers.createdAt, id: creditTransfers.id })
          .from(creditTransfers)
          .where(and(ofAccount(account), eq(creditTransfers.id, after as TransferId))); // Safe: compared only.
  if (place && (await place).length === 0) return undefined;
  return db.orm
    .select()
    .from(creditTransfers)
    .where(and(ofAccount(account), place && sql`(${creditTransfers.createdAt}, ${creditTransfers.id}) < ${place}`))
    .orderBy(desc(creditTransfers.createdAt), desc(creditTransfers.id))
    .limit(limit);
}

/** The charge of one video, message or audio session of an account. */
export interface Charge {
  /** Id of the video, message or session. */
  readonly subject: string;
  readonly amount: NanoUsd;
  /** For a video: the hold that its ledger entries refer to. */
  readonly holdId?: HoldId;
  readonly work: RefundedWork;
}

/**
 * Finds a charge by the id of a video, a message, a session, or a generation of speech (which finds its session).
 * Undefined if the account has none.
 */
export async function findCharge(db: Db, { orgId, mode }: Account, id: string): Promise<Charge | undefined> {
  if (isId('video', id)) {
    const [row] = await db.orm
      .select({
        cost: videos.costNanoUsd,
        holdId: videos.holdId,
        keyId: videos.keyId,
        model: videos.model,
        provider: videos.provider,
      })
      .from(videos)
      .where(and(eq(videos.id, id), eq(videos.orgId, orgId), eq(videos.mode, mode)));
    return row && { subject: id, amount: row.cost ?? 0n, holdId: row.holdId, work: { kind: 'video', ...workOf(row) } };
  }
  if (isId('session', id) || isId('meter', id)) {
    const [row] = await db.orm
      .select({
        sessionId: meters.sessionId,
        kind: meters.kind,
        keyId: meters.keyId,
        model: meters.model,
        provider: meters.provider,
      })
      .from(meters)
      .where(
        and(
          isId('meter', id) ? eq(meters.id, id) : eq(meters.sessionId, id),
          eq(meters.orgId, orgId),
          eq(meters.mode, mode),
        ),
      )
      .limit(1);
    if (!row) return undefined;
    const [sum] = await db.orm
      .select({ cost: sumOf(sql`${meters.costNanoUsd}`) })
      .from(meters)
      .where(eq(meters.sessionId, row.sessionId));
    return { subject: row.sessionId, amount: sum?.cost ?? 0n, work: { kind: row.kind, ...workOf(row) } };
  }
  const [row] = await db.orm
    .select({
      cost: messages.costNanoUsd,
      keyId: messages.keyId,
      model: messages.model,
      provider: messages.provider,
    })
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.orgId, orgId), eq(messages.mode, mode)));
  return row && { subject: id, amount: row.cost, work: { kind: 'message', ...workOf(row) } };
}

const workOf = ({ keyId, model, provider }: Omit<RefundedWork, 'kind'>) => ({ keyId, model, provider });

/** Returns the total that was refunded for one subject so far. */
export async function sumRefunds(db: Db, account: Account, subject: string): Promise<NanoUsd> {
  const [sum] = await db.orm
    .select({ refunded: sumOf(sql`${creditTransfers.amountNanoUsd}`) })
    .from(creditTransfers)
    .where(and(ofAccount(account), eq(creditTransfers.subject, subject), eq(creditTransfers.kind, 'refund')));
  return sum?.refunded ?? 0n;
}

const sumOf = (column: ReturnType<typeof sql>) => sql<NanoUsd>`coalesce(sum(${column}), 0)`.mapWith(BigInt);
