import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import {
  createTokenCounter,
  MAX_COUNTED_CHARS,
  sampleOf,
  type TokenCounter,
} from '../../../../lib/messages/tokens/token-counter';
import { startWorker } from '../../../support/workers';
import { english, haiku45, o200k } from '../token-corpus';

let counter: TokenCounter | undefined;
afterEach(() => counter?.close());
const makeCounter = () => (counter = createTokenCounter({ startWorker, clock: systemClock }));

describe('a token counter', () => {
  it('counts in its thread, for every kind of tokenizer', async () => {
    const { count } = makeCounter();
    for (const { messages } of [o200k, haiku45]) {
      const once = await count([english], messages.tokenizer);
      expect(once).toBeGreaterThan(10);
      expect(await count([english, english], messages.tokenizer)).toBeCloseTo(2 * once, 6);
    }
  });

  it('leaves the event loop free while it counts', async () => {
    const { count } = makeCounter();
    await count(['warm'], o200k.messages.tokenizer);
    const emoji = Array.from({ length: 250_000 }, (_, at) => String.fromCodePoint(0x1f300 + ((at * at) % 800))).join(
      '',
    );
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    await count([emoji], o200k.messages.tokenizer);
    isOver = true;
    // The event loop kept turning and was not blocked by the count.
    expect(turns).toBeGreaterThan(20);
  });

  it('aborts when its client disconnects, and when it is closed', async () => {
    const { count, close } = makeCounter();
    const leaving = new AbortController();
    const first = count([english.repeat(500)], o200k.messages.tokenizer);
    const second = count([english.repeat(500)], o200k.messages.tokenizer, leaving.signal);
    expect(counter?.isBusy()).toBe(true);
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    expect(await first).toBeGreaterThan(1_000);
    await close();
    await expect(count([english], o200k.messages.tokenizer)).rejects.toThrow('closed');
  });
});

describe('a sample', () => {
  it('is everything of a short body', () => {
    expect(sampleOf(['a', 'b'])).toEqual({ texts: ['a', 'b'], chars: 2, times: 1 });
  });

  it.each([
    ['one long text', ['x'.repeat(10_000_000)]],
    ['many long texts', Array.from({ length: 1_000 }, () => 'x'.repeat(10_000))],
    ['a hundred thousand short texts', Array.from({ length: 100_000 }, () => 'x'.repeat(10))],
  ])('of %s has at most 64 Ki characters, and says how much it represents', (_what, texts) => {
    const { chars, times, texts: taken } = sampleOf(texts);
    expect(taken.reduce((sum, text) => sum + text.length, 0)).toBe(chars);
    expect(chars).toBeLessThanOrEqual(MAX_COUNTED_CHARS);
    expect(chars).toBeGreaterThan(MAX_COUNTED_CHARS * 0.9);
    expect(times).toBeCloseTo(texts.join('').length / chars, 3);
  });

  it('weights letters of other scripts more', () => {
    const { times, chars } = sampleOf(['x'.repeat(1_000_000), '中'.repeat(100_000)]);
    expect(times).toBeCloseTo(1_100_000 / chars, 0);
  });
});
