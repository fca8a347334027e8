import { messageCost, rateFor, type TokenCounts } from '../billing/message-cost';
import type { Ledger } from '../billing/ledger';
import type { Database, Tx } from '../db/database';
import type { Caller } from '../domain/caller';
import { isGatewayError } from '../domain/errors';
import type { HoldId } from '../domain/ids';
import type { MessagesBinding, MessagesBody } from '../domain/messages';
import type { NanoUsd } from '../domain/money';

// Credit for an answer of unknown length: a first piece is held before anybody is asked, and more as the answer grows. So
// neither does a large `max_tokens` block a small balance, nor can a long answer overdraw it.

const SLICE_TOKENS = 4_096;
/** The next slice is held when so little of the last is left, so that an answer seldom waits for it. */
const MARGIN_TOKENS = 512;

export interface RollingHold {
  readonly id: HoldId;
  /** Does what is held cover so many output tokens, with a margin? If not, `cover` must be awaited before more is delivered. */
  covers(outputTokens: number): boolean;
  /** Holds enough for so many output tokens; rejects as `Ledger.extend` does when the credit ends. */
  cover(outputTokens: number): Promise<void>;
  /** Charges a cost inside the caller's transaction: at most what is held, and more is held if there still is credit. Returns what was charged. */
  capture(tx: Tx, cost: NanoUsd): Promise<NanoUsd>;
  release(tx: Tx): Promise<void>;
}

export interface HoldPlan {
  /** Whoever of these answers, it is covered. */
  readonly bindings: readonly [MessagesBinding, ...MessagesBinding[]];
  readonly body: MessagesBody;
  readonly estimatedInputTokens: number;
  readonly messageId: string;
}

/** Sets the first piece aside; rejects as `Ledger.hold` does. */
export async function openRollingHold(deps: { db: Database; ledger: Ledger }, caller: Caller, plan: HoldPlan): Promise<RollingHold> {
  const { db, ledger } = deps;
  const { bindings, body, estimatedInputTokens, messageId } = plan;
  const maxTokens = body.max_tokens ?? 0;
  const inputTokens = Math.ceil(estimatedInputTokens * 1.1);
  const marked = marksCache(body);
  const amountFor = (output: number) => highest(bindings.map(({ price }) => messageCost(worstCase(inputTokens, output, marked), price)));
  const outputPrice = (tokens: number) => highest(bindings.map(({ price }) => messageCost({ ...nothing, output: tokens }, { ...price, tiers: [rateFor(price, inputTokens)] })));

  let coveredTokens = Math.min(maxTokens, SLICE_TOKENS);
  let held = amountFor(coveredTokens);
  const id = await db.inTransaction((tx) => ledger.hold(tx, { account: { orgId: caller.orgId, mode: caller.mode }, keyId: caller.keyId, amount: held, subject: { kind: 'message', id: messageId } }));

  return {
    id,
    covers: (outputTokens) => outputTokens + MARGIN_TOKENS <= coveredTokens || coveredTokens >= maxTokens,
    async cover(outputTokens) {
      const wanted = Math.min(maxTokens, Math.max(coveredTokens, outputTokens + MARGIN_TOKENS) + SLICE_TOKENS);
      const more = outputPrice(wanted - coveredTokens);
      await db.inTransaction((tx) => ledger.extend(tx, id, more));
      held += more;
      coveredTokens = wanted;
    },
    async capture(tx, cost) {
      if (cost > held) {
        const more = cost - held;
        if (await canExtend(tx, more)) held += more;
      }
      const charged = cost < held ? cost : held;
      await ledger.capture(tx, id, charged);
      return charged;
    },
    release: async (tx) => void (await ledger.release(tx, id)),
  };

  // The answer was delivered and is charged as far as the credit goes; that it goes no further must not undo the charge.
  async function canExtend(tx: Tx, more: NanoUsd): Promise<boolean> {
    await tx.query('savepoint more_credit');
    try {
      await ledger.extend(tx, id, more);
      await tx.query('release savepoint more_credit');
      return true;
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      await tx.query('rollback to savepoint more_credit');
      return false;
    }
  }
}

const nothing: TokenCounts = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, webSearches: 0 };

function worstCase(input: number, output: number, marked: '5m' | '1h' | undefined): TokenCounts {
  if (marked === '1h') return { ...nothing, cacheWrite1h: input, output };
  return marked === '5m' ? { ...nothing, cacheWrite5m: input, output } : { ...nothing, input, output };
}

/** The dearest kind of cache mark in the request. */
function marksCache(body: MessagesBody): '5m' | '1h' | undefined {
  let found: '5m' | '1h' | undefined;
  const look = (value: unknown) => {
    if (typeof value !== 'object' || value === null || !('cache_control' in value)) return;
    const mark = value.cache_control;
    if (typeof mark !== 'object' || mark === null) return;
    if (found !== '1h') found = 'ttl' in mark && mark.ttl === '1h' ? '1h' : '5m';
  };
  look(body);
  for (const tool of body.tools ?? []) look(tool);
  if (typeof body.system === 'object') for (const block of body.system) look(block);
  for (const { content } of body.messages) if (typeof content !== 'string') for (const block of content) look(block);
  return found;
}

function highest(amounts: readonly NanoUsd[]): NanoUsd {
  let most = 0n;
  for (const amount of amounts) if (amount > most) most = amount;
  return most;
}
