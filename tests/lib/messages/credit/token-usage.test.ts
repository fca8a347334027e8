import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../lib/domain/messages';
import { createTokenUsage } from '../../../../lib/messages/credit/token-usage';

/** The counts of a complete answer with this usage; the estimate of its input is 7 tokens. */
function counted(usage: object, content: readonly object[] = [{ type: 'text', text: 'Twelve chars' }]) {
  const meter = createTokenUsage(7);
  // Safe: the upstream may send any usage.
  meter.observeBuffered({ content, stop_reason: 'end_turn', usage } as unknown as Message);
  return { ...meter.counts(), isEstimated: meter.isEstimated };
}

const exact = {
  input: 1,
  cacheRead: 2,
  cacheWrite5m: 1,
  cacheWrite1h: 3,
  output: 5,
  webSearches: 6,
  isEstimated: false,
};
const usage = {
  input_tokens: 1,
  cache_read_input_tokens: 2,
  cache_creation_input_tokens: 4,
  cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 3 },
  output_tokens: 5,
  server_tool_use: { web_search_requests: 6 },
};

describe('the counts of an answer', () => {
  it('are those of the provider', () => expect(counted(usage)).toEqual(exact));

  it.each([1.5, -1, 100_000_001, Number.NaN, 1e300])('%d counts nothing, or as an estimate', (value) => {
    expect(counted({ ...usage, input_tokens: value })).toEqual({ ...exact, input: 7, isEstimated: true });
    expect(counted({ ...usage, output_tokens: value })).toEqual({ ...exact, output: 3, isEstimated: true });
    expect(counted({ ...usage, cache_read_input_tokens: value })).toEqual({ ...exact, cacheRead: 0 });
    expect(counted({ ...usage, cache_creation_input_tokens: value })).toMatchObject({
      cacheWrite5m: 0,
      cacheWrite1h: 0,
    });
    expect(counted({ ...usage, server_tool_use: { web_search_requests: value } })).toEqual({
      ...exact,
      webSearches: 0,
    });
  });

  it('of the output are estimated from thinking and arguments too', () => {
    const content = [
      { type: 'thinking', thinking: 'Four' },
      { type: 'tool_use', id: 'call_1', name: 'book', input: { a: 1 } },
    ];
    expect(counted({ ...usage, output_tokens: 0.5 }, content).output).toBe(3);
  });
});
