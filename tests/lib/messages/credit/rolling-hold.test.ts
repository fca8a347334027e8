import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../../lib/db/messages';
import { parsePrice } from '../../../../lib/domain/money';
import { settleMessage, type Answering } from '../../../../lib/messages/credit/rolling-hold';

const price = { tiers: [{ fromInputTokens: 0, input: parsePrice('0.001'), output: parsePrice('0.002') }] };

/** The row of a message that used 30 tokens; `limit`: how many nano-dollars may be charged. */
function settled(ended: { isComplete: boolean; code?: string; limit?: bigint }): MessageRow {
  let row: MessageRow | undefined;
  const hold = {
    settle: (cost: bigint, rowFor: (charged: bigint) => MessageRow) => {
      const { limit = cost } = ended;
      row = rowFor(limit < cost ? limit : cost);
    },
  };
  const answering = {
    route: { providerId: 'acme', binding: { modelName: 'acme-1', price } },
    meter: {
      isComplete: ended.isComplete,
      isEstimated: false,
      stopReason: 'end_turn',
      counts: () => ({ input: 10, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 20, webSearches: 0 }),
    },
    isBuffered: true,
  } as unknown as Answering;
  settleMessage(hold as unknown as Parameters<typeof settleMessage>[0], {
    id: 'msg_1',
    requestId: 'req_1',
    model: 'acme-text',
    answering,
    attempts: [],
    streamed: false,
    code: ended.code,
    firstTokenMs: undefined,
    totalMs: 5,
    createdAt: new Date(0),
  });
  return row!;
}

describe('the outcome of a message', () => {
  it('is completed for a whole answer that was delivered', () => {
    expect(settled({ isComplete: true })).toMatchObject({ outcome: 'completed', code: null, costNanoUsd: '50000000' });
  });

  it('is partial for an answer that is whole at the provider, and ended here for want of credit', () => {
    const ended = { isComplete: true, code: 'key_limit_exceeded', limit: 20_000_000n };
    expect(settled(ended)).toMatchObject({ outcome: 'partial', code: 'key_limit_exceeded', costNanoUsd: '20000000' });
  });

  it('is partial for an answer that broke off, and failed without a charge', () => {
    expect(settled({ isComplete: false }).outcome).toBe('partial');
    expect(settled({ isComplete: false, code: 'upstream_timeout', limit: 0n }).outcome).toBe('failed');
  });
});
