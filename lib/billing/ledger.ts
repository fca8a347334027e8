import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import { periodOf, type Clock } from '../domain/clock';
import { newId, type HoldId, type KeyId, type OrgId, type ProjectId, type TransferId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Mode } from '../domain/video';
import type { Db, Tx } from '../db/database';
import type { HoldRow } from '../db/ledger';
import type { PartialInsert } from '../db/sql';
import { makeSpendCounters, spendKeyOf, type SpendCounter } from '../db/spending';
import {
  accounts,
  apiKeys,
  holds,
  ledgerEntries,
  projects,
  spending,
  type Bucket,
  type CreditTransferKind,
  type TransferKind,
} from '../db/schema/index';
import type { HoldRequest, Renewal, Renewed } from './hold';
import { insufficientCredits, spendLimitExceeded } from './refusals';
import { closeHold, openHold, renewHold } from './replace-hold';

// The ledger. All credits move here, inside the transaction of the work that causes the movement. Each movement is one
// conditional update whose WHERE checks the balance, so two concurrent requests cannot both spend the last cent. Each
// movement writes entries that add up to zero; entries never change.

export interface Balances {
  readonly available: NanoUsd;
  readonly held: NanoUsd;
  readonly spent: NanoUsd;
}

/** A movement of credits by the operator. */
export interface CreditTransfer {
  readonly id: TransferId;
  readonly kind: CreditTransferKind;
  /** The change of the available credits; negative only for `adjust`. */
  readonly amount: NanoUsd;
  /** The hold that a refund is for; the refund's entries carry its id. */
  readonly hold?: HoldId | undefined;
  /** The time of the entries. */
  readonly at: Date;
}

/** The part of an open hold that was used and is not charged yet. */
export interface UnwrittenCharge {
  readonly hold: HoldId;
  readonly used: NanoUsd;
  /** The part of the hold that running work still needs; the rest is free. */
  readonly reserved: NanoUsd;
}

export interface Ledger {
  /**
   * Reads the balances in one query. With `unwritten`, they are those after the charges are written. A charge is
   * ignored if its hold is no longer open, because it is already in the ledger.
   */
  balances(db: Db, account: Account, unwritten?: readonly UnwrittenCharge[]): Promise<Balances>;
  /** Adds credits. A grant with a reference that was used before adds nothing. */
  grant(tx: Tx, account: Account, amount: NanoUsd, reference?: string): Promise<void>;
  /**
   * Moves credits for the operator and returns what is available afterwards. Returns undefined and changes nothing if
   * an adjustment would take more than is available, or a refund would return more than was spent. The spending that
   * counts against the limit of a key does not change.
   */
  transfer(tx: Tx, account: Account, transfer: CreditTransfer): Promise<NanoUsd | undefined>;
  /**
   * Sets credits aside, in one statement that needs no transaction. Rejects with `insufficient_credits`,
   * `credits_held_by_running_jobs`, `key_limit_exceeded`, `project_limit_exceeded` or, for a video,
   * `concurrency_limit_exceeded`. If the caller chooses the `id`, it can release the hold later even if it never
   * learned whether the hold was made.
   */
  hold(db: Db, request: HoldRequest, id?: HoldId): Promise<HoldId>;
  /**
   * Holds as `hold` does, and inserts the rows of the work in the same statement. `available` is what the account has
   * left, or undefined if the key or its project has a limit, which may leave less. With `lock`, it waits for
   * transactions and statements that have locked the same text, before it locks the account.
   */
  holdWith(
    db: Db,
    request: HoldRequest,
    inserts: readonly PartialInsert[],
    lock?: string,
  ): Promise<{ readonly id: HoldId; readonly available: NanoUsd | undefined }>;
  /** Adds to an open hold; rejects as `hold` does, and if the hold was resolved before. */
  extend(tx: Tx, hold: HoldId, by: NanoUsd): Promise<void>;
  /** Gives back a part of an open hold; rejects if `by` is more than the hold, or if the hold was resolved before. */
  reduce(tx: Tx, hold: HoldId, by: NanoUsd): Promise<void>;
  /**
   * Charges the hold, or the smaller `amount`, and gives the rest back. Resolves to false if the hold was already
   * resolved. The entries and the daily sums have the time `at` (default: now).
   */
  capture(tx: Tx, hold: HoldId, amount?: NanoUsd, at?: Date): Promise<boolean>;
  /** Gives the whole hold back, at the time `at` (default: now). Resolves to false if the hold was already resolved. */
  release(tx: Tx, hold: HoldId, at?: Date): Promise<boolean>;
  /**
   * Charges a part of an open hold and holds again under a new id. If it rejects, as `hold` does, the transaction must
   * be rolled back. A second call with the same ids changes nothing. `at` is as in `capture`.
   */
  renew(tx: Tx, renewal: Renewal, at?: Date): Promise<Renewed>;
}

export function createLedger({ clock }: { clock: Clock }): Ledger {
  return {
    async balances(db, account, unwritten = []) {
      // Selected by id: only a few holds of an account are needed, but the planner would read all of them.
      const own = sql`(select ${holds.id} as id, ${holds.amountNanoUsd} as amount, ${holds.state} as state from ${holds} where ${inArray(
        holds.id,
        unwritten.map(({ hold }) => hold),
      )} offset 0)`;
      const amounts = sql<
        Record<HoldId, string>
      >`(select coalesce(jsonb_object_agg(own.id, own.amount::text), '{}') from ${own} as own where own.state = 'open')`;
      const [row] = await db.orm
        .select({
          available: accounts.availableNanoUsd,
          held: accounts.heldNanoUsd,
          spent: accounts.spentNanoUsd,
          open: unwritten.length > 0 ? amounts : sql<Record<HoldId, string>>`'{}'::jsonb`,
        })
        .from(accounts)
        .where(isAccount(account));
      let { available, held, spent } = row ?? { available: 0n, held: 0n, spent: 0n };
      for (const { hold, used, reserved } of unwritten) {
        const amount = row?.open[hold];
        if (amount === undefined) continue;
        const unneeded = BigInt(amount) - reserved;
        held -= unneeded;
        spent += used;
        available += unneeded - used;
      }
      return { available, held, spent };
    },

    async grant(tx, account, amount, reference) {
      if (amount < 0n) throw new RangeError('A grant cannot be negative.');
      // The account is locked before anything is entered, as by every movement, so that its entries are in the order of
      // its balances.
      await tx.orm.select({ orgId: accounts.orgId }).from(accounts).where(isAccount(account)).for('update');
      const entered = await enter(tx, 'grant', account, { world: -amount, available: amount }, { reference });
      if (!entered) return;
      await tx.orm
        .insert(accounts)
        .values({ ...account, availableNanoUsd: amount })
        .onConflictDoUpdate({
          target: [accounts.orgId, accounts.mode],
          set: { availableNanoUsd: sql`${accounts.availableNanoUsd} + ${amount}` },
        });
    },

    async transfer(tx, account, { id, kind, amount, hold, at }) {
      if (amount < 0n && kind !== 'adjust') throw new RangeError(`A ${kind} cannot be negative.`);
      // A refund takes back a charge, so the account has spent less. The credits of a grant or an adjustment come from
      // outside.
      const refunded = kind === 'refund' ? amount : 0n;
      const [moved] = await tx.orm
        .update(accounts)
        .set({
          availableNanoUsd: sql`${accounts.availableNanoUsd} + ${amount}`,
          spentNanoUsd: sql`${accounts.spentNanoUsd} - ${refunded}`,
        })
        .where(and(isAccount(account), gte(accounts.availableNanoUsd, -amount), gte(accounts.spentNanoUsd, refunded)))
        .returning({ available: accounts.availableNanoUsd });
      if (!moved) return undefined;
      const amounts =
        kind === 'refund' ? { revenue: -amount, available: amount } : { world: -amount, available: amount };
      await enter(tx, kind, account, amounts, { transferId: id, at, ...(hold === undefined ? {} : { holdId: hold }) });
      return moved.available;
    },

    async hold(db, request, id = newId('hold')) {
      await openHold(db, { ...request, id, atLeast: request.amount }, clock.now());
      return id;
    },

    async holdWith(db, request, inserts, lock) {
      const id = newId('hold');
      const next = { ...request, id, atLeast: request.amount };
      const { available, isLimited } = await openHold(db, next, clock.now(), { inserts, lock });
      return { id, available: isLimited ? undefined : available };
    },

    async extend(tx, id, by) {
      if (by < 0n) throw new RangeError('A hold cannot be extended by a negative amount.');
      await lockAccountOf(tx, id);
      const [hold] = await tx.orm
        .update(holds)
        .set({ amountNanoUsd: sql`${holds.amountNanoUsd} + ${by}` })
        .where(and(eq(holds.id, id), eq(holds.state, 'open')))
        .returning();
      if (!hold) throw new Error('A hold that was resolved cannot be extended.');
      const account: Account = { orgId: hold.orgId, mode: hold.mode };
      const moved = await tx.orm
        .update(accounts)
        .set({
          availableNanoUsd: sql`${accounts.availableNanoUsd} - ${by}`,
          heldNanoUsd: sql`${accounts.heldNanoUsd} + ${by}`,
        })
        .where(and(isAccount(account), gte(accounts.availableNanoUsd, by)))
        .returning({ orgId: accounts.orgId });
      if (moved.length === 0) {
        const [row] = await tx.orm.select().from(accounts).where(isAccount(account));
        throw insufficientCredits(account, by, {
          available: row?.availableNanoUsd ?? 0n,
          held: row?.heldNanoUsd ?? 0n,
        });
      }
      // Counted in the period of the hold, so that a piece of work is not counted in two periods if the limit resets in
      // the meantime.
      for (const counter of await countersOf(tx, hold)) await countExtension(tx, hold.mode, counter, by, clock.now());
      await enter(tx, 'hold', account, { available: -by, held: by }, { holdId: id });
    },

    async reduce(tx, id, by) {
      if (by < 0n) throw new RangeError('A hold cannot be reduced by a negative amount.');
      await lockAccountOf(tx, id);
      const [hold] = await tx.orm
        .update(holds)
        .set({ amountNanoUsd: sql`${holds.amountNanoUsd} - ${by}` })
        .where(and(eq(holds.id, id), eq(holds.state, 'open'), gte(holds.amountNanoUsd, by)))
        .returning();
      if (!hold) throw new Error('Only an open hold can be reduced, by at most what it holds.');
      const account: Account = { orgId: hold.orgId, mode: hold.mode };
      await tx.orm
        .update(accounts)
        .set({
          availableNanoUsd: sql`${accounts.availableNanoUsd} + ${by}`,
          heldNanoUsd: sql`${accounts.heldNanoUsd} - ${by}`,
        })
        .where(isAccount(account));
      for (const counter of await countersOf(tx, hold)) await countSpend(tx, hold.mode, counter, -by);
      await enter(tx, 'release', account, { held: -by, available: by }, { holdId: id });
    },

    capture: (tx, id, amount, at = clock.now()) => closeHold(tx, { id, state: 'captured', charged: amount }, at),
    release: (tx, id, at = clock.now()) => closeHold(tx, { id, state: 'released', charged: 0n }, at),

    async renew(tx, { hold, charged, next, instead }, at = clock.now()) {
      const close = { id: hold, state: charged > 0n ? 'captured' : 'released', charged } as const;
      if (next) {
        const opened = await renewHold(tx, close, next, at);
        if (opened) return { held: opened.amount, chargedTo: hold, charged };
      } else if (await closeHold(tx, close, at)) return { held: 0n, chargedTo: hold, charged };
      const late = instead && charged > 0n ? await chargeInstead(tx, hold, instead, at) : undefined;
      const done = { chargedTo: late === undefined ? hold : (instead?.id ?? hold), charged: late ?? charged };
      if (!next) return { held: 0n, ...done };
      // Only this renewal opens a hold with this id. If the hold exists, the renewal was committed before.
      const [made] = await tx.orm.select({ amount: holds.amountNanoUsd }).from(holds).where(eq(holds.id, next.id));
      if (made) return { held: made.amount, ...done };
      await openHold(tx, { ...next, amount: next.atLeast }, at);
      return { held: next.atLeast, ...done };
    },
  };

  /**
   * Charges work whose hold was released before it could be charged: directly from the available credits, as far as
   * they suffice. Returns the charge, or undefined if the hold was charged before.
   */
  async function chargeInstead(
    tx: Tx,
    gone: HoldId,
    { id, account, keyId, amount, subject }: HoldRequest & { readonly id: HoldId },
    now: Date,
  ): Promise<NanoUsd | undefined> {
    const [made] = await tx.orm.select({ captured: holds.capturedNanoUsd }).from(holds).where(eq(holds.id, id));
    if (made) return made.captured;
    const [old] = await tx.orm.select({ state: holds.state }).from(holds).where(eq(holds.id, gone));
    if (old?.state !== 'released') return undefined;
    const [{ available } = { available: 0n }] = await tx.orm
      .select({ available: accounts.availableNanoUsd })
      .from(accounts)
      .where(isAccount(account))
      .for('update');
    const charged = amount < available ? amount : available;
    await tx.orm
      .update(accounts)
      .set({
        availableNanoUsd: sql`${accounts.availableNanoUsd} - ${charged}`,
        spentNanoUsd: sql`${accounts.spentNanoUsd} + ${charged}`,
      })
      .where(isAccount(account));
    const counted = await currentScopesOf(tx, keyId, now);
    await makeSpendCounters(tx, account.mode, [...counted.key, ...counted.project]);
    // The credits are already used, so the limits are not checked.
    for (const counter of [...counted.key, ...counted.project]) await countSpend(tx, account.mode, counter, charged);
    await tx.orm.insert(holds).values({
      id,
      ...account,
      keyId,
      keyPeriod: counted.key[0]?.period ?? null,
      projectId: counted.project[0]?.scopeId ?? null,
      projectPeriod: counted.project[0]?.period ?? null,
      subjectKind: subject.kind,
      subjectId: subject.id,
      amountNanoUsd: charged,
      capturedNanoUsd: charged,
      state: 'captured',
      createdAt: now,
      resolvedAt: now,
    });
    await enter(tx, 'capture', account, { available: -charged, revenue: charged }, { holdId: id, at: now });
    return charged;
  }

  /** Writes the entries of one transfer. Resolves to false if a grant with this reference was written before. */
  async function enter(
    tx: Tx,
    kind: TransferKind,
    account: Account,
    amounts: Partial<Record<Bucket, NanoUsd>>,
    {
      transferId = newId('transfer'),
      at: createdAt = clock.now(),
      ...about
    }: { transferId?: TransferId; holdId?: HoldId; reference?: string | undefined; at?: Date },
  ): Promise<boolean> {
    const rows = Object.entries(amounts)
      .filter(([, amount]) => amount !== 0n)
      // Safe: the keys of `amounts` are buckets.
      .map(([bucket, amountNanoUsd]) => ({
        transferId,
        kind,
        ...account,
        bucket: bucket as Bucket,
        amountNanoUsd,
        createdAt,
        ...about,
      }));
    if (rows.length === 0) return true;
    const entered = await tx.orm
      .insert(ledgerEntries)
      .values(rows)
      .onConflictDoNothing()
      .returning({ id: ledgerEntries.id });
    return entered.length === rows.length;
  }
}

/**
 * Locks the account before the hold is locked. All movements keep this order, so that no two wait for each other
 * (`replace-hold.ts`).
 */
async function lockAccountOf(tx: Tx, hold: HoldId): Promise<void> {
  await tx.query('select 1 from holds join accounts using (org_id, mode) where holds.id = $1 for update of accounts', [
    hold,
  ]);
}

const isAccount = (account: Account) => and(eq(accounts.orgId, account.orgId), eq(accounts.mode, account.mode));

/** Returns the counters of the limits that a hold counts against. */
async function countersOf(tx: Tx, hold: HoldRow): Promise<readonly ScopeCounter[]> {
  const { keyId, keyPeriod, projectId, projectPeriod } = hold;
  const [key] =
    keyPeriod === null ? [] : await tx.orm.select({ scopeId: spendKeyOf() }).from(apiKeys).where(eq(apiKeys.id, keyId));
  return [
    ...(key && keyPeriod !== null ? [{ level: 'key' as const, keyId, scopeId: key.scopeId, period: keyPeriod }] : []),
    ...(projectId === null || projectPeriod === null
      ? []
      : [{ level: 'project' as const, scopeId: projectId, period: projectPeriod }]),
  ];
}

type ScopeCounter =
  | { readonly level: 'key'; readonly keyId: KeyId; readonly scopeId: KeyId; readonly period: string }
  | { readonly level: 'project'; readonly scopeId: ProjectId; readonly period: string };

/** Returns the limits that a new hold of the key counts against, at most one of each level. */
async function currentScopesOf(
  tx: Tx,
  keyId: KeyId,
  now: Date,
): Promise<{
  readonly key: readonly { readonly scopeId: KeyId; readonly period: string }[];
  readonly project: readonly { readonly scopeId: ProjectId; readonly period: string }[];
}> {
  const [found] = await tx.orm
    .select({
      spendKeyId: spendKeyOf(),
      ofKey: apiKeys.limitPeriod,
      projectId: projects.id,
      ofProject: projects.limitPeriod,
    })
    .from(apiKeys)
    .leftJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(eq(apiKeys.id, keyId));
  if (!found) return { key: [], project: [] };
  const { spendKeyId, ofKey, projectId, ofProject } = found;
  return {
    key: ofKey === null ? [] : [{ scopeId: spendKeyId, period: periodOf(ofKey, now).period }],
    project:
      projectId === null || ofProject === null ? [] : [{ scopeId: projectId, period: periodOf(ofProject, now).period }],
  };
}

/** Counts the extension of a hold against a limit. Rejects with `key_limit_exceeded` or `project_limit_exceeded`. */
async function countExtension(tx: Tx, mode: Mode, counter: ScopeCounter, amount: NanoUsd, now: Date): Promise<void> {
  const [found] =
    counter.level === 'key'
      ? await tx.orm
          .select({ amount: apiKeys.limitNanoUsd, period: apiKeys.limitPeriod })
          .from(apiKeys)
          .where(eq(apiKeys.id, counter.keyId))
      : await tx.orm
          .select({ amount: projects.limitNanoUsd, period: projects.limitPeriod, name: projects.name })
          .from(projects)
          .where(eq(projects.id, counter.scopeId));
  // Work that began under a limit is counted until it ends, even if the limit is removed in the meantime, because its
  // release subtracts all of it.
  const limit =
    found?.amount != null && found.period !== null
      ? { ...found, amount: found.amount, period: found.period }
      : undefined;
  if (await countSpend(tx, mode, counter, amount, limit?.amount)) return;
  if (!limit) return;
  const [row] = await tx.orm.select({ spent: spending.spentNanoUsd }).from(spending).where(isCounter(mode, counter));
  throw spendLimitExceeded({ ...limit, level: counter.level, spent: row?.spent ?? 0n }, amount, now);
}

/** Adds to the spending of a counter. Resolves to false, and adds nothing, if the sum would exceed the limit. */
async function countSpend(
  tx: Tx,
  mode: Mode,
  counter: SpendCounter,
  amount: NanoUsd,
  limit?: NanoUsd,
): Promise<boolean> {
  const within = limit === undefined ? undefined : sql`${spending.spentNanoUsd} + ${amount} <= ${limit}`;
  const counted = await tx.orm
    .update(spending)
    .set({ spentNanoUsd: sql`${spending.spentNanoUsd} + ${amount}` })
    .where(and(isCounter(mode, counter), within))
    .returning({ period: spending.period });
  return counted.length > 0;
}

const isCounter = (mode: Mode, { scopeId, period }: SpendCounter) =>
  and(eq(spending.scopeId, scopeId), eq(spending.mode, mode), eq(spending.period, period));

/** Creates the two balance accounts of a new organisation with no credits. */
export async function openAccounts(tx: Tx, orgId: OrgId): Promise<void> {
  await tx.orm
    .insert(accounts)
    .values([
      { orgId, mode: 'live' },
      { orgId, mode: 'test' },
    ])
    .onConflictDoNothing();
}
