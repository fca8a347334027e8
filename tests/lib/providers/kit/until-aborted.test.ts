import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../../../lib/providers/kit/until-aborted';

describe('untilAborted', () => {
  async function* numbers(ends: { count: number }) {
    try {
      for (let index = 0; ; index++) {
        yield index;
        await Promise.resolve();
      }
    } finally {
      ends.count++;
    }
  }

  it('ends at the abort and tells the source', async () => {
    const ends = { count: 0 };
    const stop = new AbortController();
    const seen: number[] = [];
    for await (const number of untilAborted(numbers(ends), stop.signal)) {
      seen.push(number);
      if (number === 3) stop.abort();
    }
    expect(seen).toEqual([0, 1, 2, 3]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends.count).toBe(1);
  });

  it('ends while the source is waiting for ever', async () => {
    const stop = new AbortController();
    async function* stuck() {
      yield 1;
      await new Promise(() => {});
    }
    setTimeout(() => stop.abort(), 10);
    const seen: number[] = [];
    for await (const number of untilAborted(stuck(), stop.signal)) seen.push(number);
    expect(seen).toEqual([1]);
  });

  it('passes the failure of the source on', async () => {
    async function* broken() {
      yield 1;
      throw new Error('broken');
    }
    await expect(
      (async () => {
        for await (const number of untilAborted(broken(), new AbortController().signal)) expect(number).toBe(1);
      })(),
    ).rejects.toThrow('broken');
  });
});
