import { describe, expect, it } from 'vitest';
import { createTurns, createRepeatedRefusals, DECIDED_PER_SECOND } from '../../../lib/videos/submission-limits';
import { createTestClock } from '../../support/clock';
import { GatewayError } from '../../../lib/domain/errors';

function make(maxRunning: number) {
  const clock = createTestClock();
  const turns = createTurns(maxRunning, clock);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (name: string, id: string, pauseMs?: (tookMs: number) => number) =>
    turns.run(
      name,
      (waitedMs) =>
        new Promise<string>((resolve, reject) => {
          begun.push(id);
          ends.set(id, (error) => (error ? reject(error) : resolve(`${id} after ${waitedMs} ms`)));
        }),
      pauseMs,
    );
  return { clock, begun, add, end: (id: string, error?: Error) => ends.get(id)?.(error) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('createTurns', () => {
  it('runs a limited number of one name at the same time, the others in their order, and does not delay another name', async () => {
    const { clock, begun, add, end } = make(2);
    const results = ['a1', 'a2', 'a3', 'a4'].map((id) => add('a', id));
    results.push(add('b', 'b1'));
    await turn();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await clock.advance(300);
    end('a2');
    await turn();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const id of ['a1', 'a3', 'b1']) end(id);
    await turn();
    end('a4');
    expect(await Promise.all(results)).toEqual([
      'a1 after 0 ms',
      'a2 after 0 ms',
      'a3 after 300 ms',
      'a4 after 300 ms',
      'b1 after 0 ms',
    ]);
  });

  it('gives the place of work that failed to the next, and begins anew when all have ended', async () => {
    const { begun, add, end } = make(1);
    const failed = add('a', 'a1');
    const next = add('a', 'a2');
    await turn();
    end('a1', new Error('bad'));
    await expect(failed).rejects.toThrow('bad');
    await turn();
    end('a2');
    expect(await next).toBe('a2 after 0 ms');
    const later = add('a', 'a3');
    await turn();
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    end('a3');
    expect(await later).toBe('a3 after 0 ms');
  });

  it('pauses before the next of its name begins, and not if none waits', async () => {
    const { clock, begun, add, end } = make(1);
    const twice = (tookMs: number) => 2 * tookMs;
    void add('a', 'a1', twice);
    const second = add('a', 'a2', twice);
    void add('b', 'b1', twice);
    await clock.advance(10);
    end('a1');
    await turn();
    await clock.advance(19);
    expect(begun).toEqual(['a1', 'b1']);
    // Work that comes during the pause waits too.
    void add('a', 'a3', twice);
    await clock.advance(1);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    end('a2');
    expect(await second).toBe('a2 after 30 ms');
    await turn();
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
    await clock.advance(10);
    end('a3');
    await turn();
    void add('a', 'a4', twice);
    await turn();
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });
});

const error = (message: string) => new GatewayError('concurrency_limit_exceeded', message);

describe('createRepeatedRefusals', () => {
  it('repeats the latest error of a name that was refused often within a second, until the second is over', async () => {
    const clock = createTestClock();
    const refusals = createRepeatedRefusals(clock);
    for (let n = 1; n <= DECIDED_PER_SECOND; n += 1) {
      expect(() => refusals.check('a')).not.toThrow();
      refusals.add('a', error(`refusal ${n}`));
    }
    expect(() => refusals.check('a')).toThrow(`refusal ${DECIDED_PER_SECOND}`);
    expect(() => refusals.check('b')).not.toThrow();
    await clock.advance(999);
    expect(() => refusals.check('a')).toThrow(`refusal ${DECIDED_PER_SECOND}`);
    await clock.advance(1);
    expect(() => refusals.check('a')).not.toThrow();
  });

  it('decides again when the clock was set back', () => {
    const clock = { ms: 3_600_000, nowMs: () => clock.ms };
    const refusals = createRepeatedRefusals(clock);
    for (let n = 0; n < DECIDED_PER_SECOND; n += 1)
      refusals.add('a', new GatewayError('concurrency_limit_exceeded', 'Too many.'));
    expect(() => refusals.check('a')).toThrow('Too many.');
    clock.ms = 0;
    expect(() => refusals.check('a')).not.toThrow();
  });

  it('does not add up the refusals of several seconds', async () => {
    const clock = createTestClock();
    const refusals = createRepeatedRefusals(clock);
    for (let n = 0; n < 5 * DECIDED_PER_SECOND; n += 1) {
      refusals.add('a', error('refused'));
      await clock.advance(1_000 / (DECIDED_PER_SECOND - 1));
      expect(() => refusals.check('a')).not.toThrow();
    }
  });
});
