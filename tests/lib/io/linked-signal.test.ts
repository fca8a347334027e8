import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkSignals } from '../../../lib/io/linked-signal';

describe('linkSignals', () => {
  it('aborts with the first of its sources, for the same reason', () => {
    const one = new AbortController();
    const other = new AbortController();
    const { signal } = linkSignals(one.signal, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort('gone');
    one.abort('late');
    expect([signal.aborted, signal.reason]).toEqual([true, 'gone']);
  });

  it('of a source that has already aborted is aborted from the start, and adds no listener', () => {
    const one = new AbortController();
    expect(linkSignals(one.signal, AbortSignal.abort('gone')).signal.reason).toBe('gone');
    expect(getEventListeners(one.signal, 'abort')).toHaveLength(0);
  });

  it('leaves no listener at a long-lived source, ten thousand times', () => {
    const lasting = new AbortController();
    for (let session = 0; session < 10_000; session++) {
      const own = new AbortController();
      const { release } = linkSignals(lasting.signal, own.signal);
      if (session % 2 === 0) own.abort();
      release();
    }
    expect(getEventListeners(lasting.signal, 'abort')).toHaveLength(0);
  });
});
