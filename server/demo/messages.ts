import { messageCost, usedPrices } from '../../lib/billing/message-cost';
import { insertContent } from '../../lib/db/kept-contents';
import { insertMessages, messageText } from '../../lib/db/messages';
import type { MessageOutcome } from '../../lib/db/schema/index';
import type { Account } from '../../lib/domain/caller';
import { newId, type KeyId } from '../../lib/domain/ids';
import { DAY_MS } from './clock';
import { conversations, KEPT_DAYS, messageModels } from './plan';
import { times } from './random';
import { findModel, servingProvider, type DemoWork } from './work';

interface MessageOfPlan {
  readonly id: string;
  readonly model: string;
  readonly outcome: MessageOutcome;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Writes messages, and the conversations of those of the last days. */
export function createMessages(work: DemoWork) {
  const { db, clock, owner, ledger, random, nowMs } = work;
  let count = 0;
  return { writeMessages, count: () => count };

  /** Writes one to four messages that share a hold, as concurrent messages of one key do in the product. */
  async function writeMessages(account: Account, keyId: KeyId): Promise<void> {
    const model = findModel(work, 'messages', random.pick(messageModels));
    const [binding] = model.bindings;
    if (!binding) throw new Error(`${model.id} has no provider.`);
    const provider = servingProvider(account.mode, binding);
    const rows = times(1 + random.below(4), () => {
      const isFailed = random.next() < 0.08;
      const isCut = !isFailed && random.next() < 0.06;
      const tokens = {
        input: isFailed ? 0 : 200 + random.below(6_000),
        cacheRead: isFailed || random.next() < 0.6 ? 0 : 1_000 + random.below(20_000),
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: isFailed ? 0 : 50 + random.below(1_500),
        webSearches: 0,
      };
      const firstTokenMs = 250 + random.below(1_200);
      const totalMs = firstTokenMs + tokens.output * 12;
      return {
        cost: messageCost(tokens, binding.price),
        row: {
          id: `msg_${newId('request').slice('req_'.length)}`,
          requestId: newId('request'),
          model: model.id,
          provider: isFailed ? null : provider,
          upstreamModel: isFailed ? null : binding.modelName,
          attempts: [
            {
              provider,
              upstreamModel: binding.modelName,
              ms: isFailed ? totalMs : firstTokenMs,
              ...(isFailed && { code: 'upstream_overloaded' }),
            },
          ],
          streamed: random.next() < 0.7,
          outcome: isFailed ? ('failed' as const) : isCut ? ('partial' as const) : ('completed' as const),
          code: isFailed ? 'upstream_overloaded' : isCut ? 'caller_left' : null,
          stopReason: isFailed || isCut ? null : 'end_turn',
          inputTokens: tokens.input,
          cacheReadTokens: tokens.cacheRead,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: tokens.output,
          webSearches: 0,
          estimated: false,
          prices: isFailed ? null : usedPrices(tokens, binding.price),
          firstTokenMs: isFailed ? null : firstTokenMs,
          totalMs,
        },
      };
    });
    const total = rows.reduce((sum, { cost }) => sum + cost, 0n);
    await db.inTransaction(async (tx) => {
      // Holds more than is used, as for an answer of unknown length.
      const holdId = await ledger.hold(tx, {
        account,
        keyId,
        amount: total * 2n,
        subject: { kind: 'message', id: newId('transfer') },
      });
      const createdAt = clock.now().toISOString();
      clock.moveTo(clock.nowMs() + 20_000);
      const chargedAt = clock.now();
      await ledger.renew(tx, { hold: holdId, charged: total }, chargedAt);
      await insertMessages(
        tx,
        { ...account, keyId, holdId, chargedAt },
        rows.map(({ cost, row }) => messageText({ ...row, createdAt, costNanoUsd: cost.toString() })),
      );
    });
    for (const { row } of rows) await writeConversation(row, nowMs - clock.nowMs());
    count += rows.length;
  }

  /** Writes the conversation of a message, if it would still be kept. */
  async function writeConversation(
    { id, model, outcome, inputTokens, outputTokens }: MessageOfPlan,
    ageMs: number,
  ): Promise<void> {
    const expiresAt = new Date(nowMs - ageMs + KEPT_DAYS * DAY_MS);
    if (expiresAt.getTime() <= nowMs) return;
    const [question, text] = random.pick(conversations);
    const answer = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: inputTokens, output_tokens: outputTokens },
    };
    await insertContent(db, 'message', owner.orgId, id, {
      request: JSON.stringify({ model, max_tokens: 1024, messages: [{ role: 'user', content: question }] }),
      answer: outcome === 'failed' ? null : JSON.stringify(answer),
      expiresAt,
    });
  }
}
