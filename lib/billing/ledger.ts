import { and, eq, gte, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { newId, type HoldId, type KeyId, type OrgId } from '../domain/ids';
import { usdText, type NanoUsd } from '../domain/money';
import type { Db, Tx } from '../db/database';
import { spendKeyOf } from '../db/keys';
import type { HoldCompanion } from '../db/meters';
import { accounts, apiKeys, holds, keySpend, ledgerEntries, type Bucket, type HoldSubject, type TransferKind } from '../db/schema/index';
import { periodOf } from './key-period';
import { openHold } from './open-hold';
import { renewHold, type Renewal } from './renew-hold';

// The books. Credits move only here, always inside the transaction of what causes the movement, and always as one conditional
// update whose WHERE says what must hold: two requests at the same time cannot both spend the last cent. Each movement leaves
// entries that add up to zero; nothing is ever changed or deleted in them.

export interface Balances {
  readonly available: NanoUsd;
  readonly held: NanoUsd;
  readonly spent: NanoUsd;
}

export interface HoldRequest {
  readonly account: Account;
  readonly keyId: KeyId;
  readonly amount: NanoUsd;
  readonly subject: { readonly kind: HoldSubject; readonly id: string };
}

export interface Ledger {
  balances(db: Db, account: Account): Promise<Balances>;
  /** Gives credits. With a reference the same grant is given once, however often it is asked for. */
  grant(tx: Tx, account: Account, amount: NanoUsd, reference?: string): Promise<void>;
  /** Sets credits aside; rejects with `insufficient_credits`, `credits_held_by_running_jobs` or `key_limit_exceeded`. */
  hold(tx: Tx, request: HoldRequest): Promise<HoldId>;
  /**
   * Holds, and writes the row that it is made for, in one statement that needs no transaction. Undefined, and nothing has
   * changed: the key has a limit, which only `hold` can judge. `left` is what the account has beside it. Rejects as `hold` does.
   */
  holdAtOnce(db: Db, request: HoldRequest, beside: HoldCompanion): Promise<{ readonly id: HoldId; readonly left: NanoUsd } | undefined>;
  /** Adds to an open hold; rejects as `hold` does, and when the hold was resolved before. */
  extend(tx: Tx, hold: HoldId, by: NanoUsd): Promise<void>;
  /** Gives back a part of an open hold that will not be needed. At most all of it. */
  reduce(tx: Tx, hold: HoldId, by: NanoUsd): Promise<void>;
  /** Charges what was held (all of it, or the smaller `amount`) and gives the rest back. False: it was resolved before. */
  capture(tx: Tx, hold: HoldId, amount?: NanoUsd): Promise<boolean>;
  /** Gives everything back. False: it was resolved before. */
  release(tx: Tx, hold: HoldId): Promise<boolean>;
  /**
   * Charges a part of an open hold and goes on holding under a new id, in one step. Answers what is held now; 0 without a next
   * hold. Rejects as `hold` does, and the transaction must then be rolled back. Repeated with the same ids, it changes nothing.
   */
  renew(tx: Tx, renewal: Renewal): Promise<NanoUsd>;
}

export function createLedger({ clock }: { clock: Clock }): Ledger {
  return {
    async balances(db, account) {
      const [row] = await db.orm.select().from(accounts).where(isAccount(account));
      return { available: row?.availableNanoUsd ?? 0n, held: row?.heldNanoUsd ?? 0n, spent: row?.spentNanoUsd ?? 0n };
    },

    async grant(tx, account, amount, reference) {
      if (amount < 0n) throw new RangeError('A grant cannot be negative.');
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

    hold: (tx, request) => open(tx, request, newId('hold')),

    async holdAtOnce(db, request, beside) {
      const id = newId('hold');
      const opening = await openHold(db, request, id, clock.now(), beside);
      if (opening === 'short') throw await shortOf(db, request.account, request.amount);
      return opening === 'limited' ? undefined : { id, left: opening.left };
    },

    async extend(tx, id, by) {
      if (by < 0n) throw new RangeError('A hold cannot be extended by less than nothing.');
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
      if (moved.length === 0) throw await shortOf(tx, account, by);
      // In the period in which it was begun: a limit that resets meanwhile is not charged twice for one piece of work.
      if (hold.keyPeriod !== null) await countAgainstKey(tx, clock.now(), hold.keyId, by, hold.keyPeriod);
      await enter(tx, 'hold', account, { available: -by, held: by }, { holdId: id });
    },

    async reduce(tx, id, by) {
      if (by < 0n) throw new RangeError('A hold cannot be reduced by less than nothing.');
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
      if (hold.keyPeriod !== null) {
        await tx.orm
          .update(keySpend)
          .set({ spentNanoUsd: sql`${keySpend.spentNanoUsd} - ${by}` })
          .where(and(eq(keySpend.keyId, spendKeyOf(hold.keyId)), eq(keySpend.period, hold.keyPeriod)));
      }
      await enter(tx, 'release', account, { held: -by, available: by }, { holdId: id });
    },

    capture: (tx, hold, amount) => resolve(tx, hold, 'captured', amount),
    release: (tx, hold) => resolve(tx, hold, 'released', 0n),

    async renew(tx, renewal) {
      const { hold, charged, next } = renewal;
      if (await renewHold(tx, renewal, clock.now())) return next?.amount ?? 0n;
      const [made] = next ? await tx.orm.select({ amount: holds.amountNanoUsd }).from(holds).where(eq(holds.id, next.id)) : [];
      if (made) return made.amount;
      await (charged > 0n ? resolve(tx, hold, 'captured', charged) : resolve(tx, hold, 'released', 0n));
      if (next) await open(tx, { ...next, amount: next.atLeast }, next.id);
      return next?.atLeast ?? 0n;
    },
  };

  async function open(tx: Tx, request: HoldRequest, id: HoldId): Promise<HoldId> {
    const { account, keyId, amount, subject } = request;
    const opening = await openHold(tx, request, id, clock.now());
    if (opening === 'short') throw await shortOf(tx, account, amount);
    if (opening !== 'limited') return id;
    const moved = await tx.orm
      .update(accounts)
      .set({
        availableNanoUsd: sql`${accounts.availableNanoUsd} - ${amount}`,
        heldNanoUsd: sql`${accounts.heldNanoUsd} + ${amount}`,
      })
      .where(and(isAccount(account), gte(accounts.availableNanoUsd, amount)))
      .returning({ orgId: accounts.orgId });
    if (moved.length === 0) throw await shortOf(tx, account, amount);

    const keyPeriod = await countAgainstKey(tx, clock.now(), keyId, amount);
    await tx.orm.insert(holds).values({
      id,
      ...account,
      keyId,
      keyPeriod,
      subjectKind: subject.kind,
      subjectId: subject.id,
      amountNanoUsd: amount,
      createdAt: clock.now(),
    });
    await enter(tx, 'hold', account, { available: -amount, held: amount }, { holdId: id });
    return id;
  }

  async function resolve(tx: Tx, id: HoldId, state: 'captured' | 'released', wanted?: NanoUsd): Promise<boolean> {
    const [hold] = await tx.orm
      .update(holds)
      .set({ state, resolvedAt: clock.now(), capturedNanoUsd: wanted ?? sql`${holds.amountNanoUsd}` })
      .where(and(eq(holds.id, id), eq(holds.state, 'open')))
      .returning();
    if (!hold) return false;

    const account: Account = { orgId: hold.orgId, mode: hold.mode };
    const captured = hold.capturedNanoUsd;
    const back = hold.amountNanoUsd - captured;
    await tx.orm
      .update(accounts)
      .set({
        availableNanoUsd: sql`${accounts.availableNanoUsd} + ${back}`,
        heldNanoUsd: sql`${accounts.heldNanoUsd} - ${hold.amountNanoUsd}`,
        spentNanoUsd: sql`${accounts.spentNanoUsd} + ${captured}`,
      })
      .where(isAccount(account));
    if (hold.keyPeriod !== null && back > 0n) {
      await tx.orm
        .update(keySpend)
        .set({ spentNanoUsd: sql`${keySpend.spentNanoUsd} - ${back}` })
        .where(and(eq(keySpend.keyId, spendKeyOf(hold.keyId)), eq(keySpend.period, hold.keyPeriod)));
    }
    const kind = state === 'captured' ? 'capture' : 'release';
    await enter(tx, kind, account, { held: -hold.amountNanoUsd, revenue: captured, available: back }, { holdId: id });
    return true;
  }

  /** False: a grant of this reference was entered before. */
  async function enter(
    tx: Tx,
    kind: TransferKind,
    account: Account,
    amounts: Partial<Record<Bucket, NanoUsd>>,
    about: { holdId?: HoldId; reference?: string | undefined },
  ): Promise<boolean> {
    const transferId = newId('transfer');
    const createdAt = clock.now();
    const rows = Object.entries(amounts)
      .filter(([, amount]) => amount !== 0n)
      // Safe: the keys of `amounts` are buckets.
      .map(([bucket, amountNanoUsd]) => ({ transferId, kind, ...account, bucket: bucket as Bucket, amountNanoUsd, createdAt, ...about }));
    if (rows.length === 0) return true;
    const entered = await tx.orm.insert(ledgerEntries).values(rows).onConflictDoNothing().returning({ id: ledgerEntries.id });
    return entered.length === rows.length;
  }
}

const isAccount = (account: Account) => and(eq(accounts.orgId, account.orgId), eq(accounts.mode, account.mode));

/**
 * Counts an amount against the key's spend limit and returns the period that it counts in (null: no limit). The limit is read
 * under the account's row lock, so two holds of one key cannot both take the last cent of it.
 */
async function countAgainstKey(tx: Tx, now: Date, keyId: KeyId, amount: NanoUsd, begunIn?: string): Promise<string | null> {
  const [key] = await tx.orm
    .select({ limit: apiKeys.limitNanoUsd, period: apiKeys.limitPeriod, spendKeyId: spendKeyOf() })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId));
  // Keys that share a limit are counted as one.
  const counted = key?.spendKeyId ?? keyId;
  if (!key || key.limit === null || key.period === null) {
    // What was begun under a limit is counted to its end, also when the limit was lifted since: giving back will count all of it.
    if (begunIn !== undefined) await countSpend(tx, counted, begunIn, amount);
    return null;
  }
  const { period: current, resetsAt } = periodOf(key.period, now);
  const period = begunIn ?? current;
  if (await countSpend(tx, counted, period, amount, key.limit)) return period;
  throw new GatewayError(
    'key_limit_exceeded',
    `This key's spend limit of $${usdText(key.limit)} does not leave the $${usdText(amount)} that this request needs. ${resetsAt ? 'Wait for the limit to reset, or raise it.' : 'Raise the limit or use another key.'}`,
    { details: { limit: usdText(key.limit), required: usdText(amount), ...(resetsAt ? { resets_at: Math.floor(resetsAt.getTime() / 1000) } : {}) } },
  );
}

/** False, and nothing was counted, when it would pass the limit. */
async function countSpend(tx: Tx, keyId: KeyId, period: string, amount: NanoUsd, limit?: NanoUsd): Promise<boolean> {
  await tx.orm.insert(keySpend).values({ keyId, period }).onConflictDoNothing();
  const within = limit === undefined ? undefined : sql`${keySpend.spentNanoUsd} + ${amount} <= ${limit}`;
  const counted = await tx.orm
    .update(keySpend)
    .set({ spentNanoUsd: sql`${keySpend.spentNanoUsd} + ${amount}` })
    .where(and(eq(keySpend.keyId, keyId), eq(keySpend.period, period), within))
    .returning({ keyId: keySpend.keyId });
  return counted.length > 0;
}

async function shortOf(db: Db, account: Account, required: NanoUsd): Promise<GatewayError> {
  const [row] = await db.orm.select().from(accounts).where(isAccount(account));
  const available = row?.availableNanoUsd ?? 0n;
  const held = row?.heldNanoUsd ?? 0n;
  const details = { required: usdText(required), available: usdText(available), held: usdText(held) };
  const need = `This request needs $${details.required}, and $${details.available} of the ${account.mode} credits are available.`;
  if (available + held >= required) {
    return new GatewayError(
      'credits_held_by_running_jobs',
      `${need} Another $${details.held} is held by running jobs; try again when they have finished, or add credits.`,
      { details, retryAfterSeconds: 30 },
    );
  }
  return new GatewayError('insufficient_credits', `${need} Add credits and try again.`, { details });
}

/** Makes the two purses of a new organisation, empty. */
export async function openAccounts(tx: Tx, orgId: OrgId): Promise<void> {
  await tx.orm.insert(accounts).values([{ orgId, mode: 'live' }, { orgId, mode: 'test' }]).onConflictDoNothing();
}
