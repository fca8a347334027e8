import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { gatherChecks } from '../../../../lib/providers/kit/video/gather-checks';
import { recordLog } from '../../../support/log';

const callOf = (signal: AbortSignal) => ({ signal, log: recordLog() });
const never = () => new AbortController().signal;

describe('checks that are gathered', () => {
  it('get what the answer says of their own job', async () => {
    const asked: (readonly string[])[] = [];
    const ask = gatherChecks(systemClock, async (ids) => {
      asked.push(ids);
      return ids.map((id) => (id === 'b' ? undefined : id.toUpperCase()));
    });
    const answers = await Promise.all(['a', 'b', 'c'].map((id) => ask(id, callOf(never()))));
    expect([asked, answers]).toEqual([[['a', 'b', 'c']], ['A', undefined, 'C']]);
  });

  it('need no common request for a single job', async () => {
    const ask = gatherChecks(systemClock, async () => {
      throw new Error('This is not asked.');
    });
    expect(await ask('a', callOf(never()))).toBeUndefined();
  });

  it('leave out one that no caller waits for any more', async () => {
    const left = new AbortController();
    const asked: (readonly string[])[] = [];
    const ask = gatherChecks(systemClock, async (ids) => {
      asked.push(ids);
      return ids;
    });
    const leaving = ask('a', callOf(left.signal));
    const staying = ['b', 'c'].map((id) => ask(id, callOf(never())));
    left.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
    expect([await Promise.all(staying), asked]).toEqual([['b', 'c'], [['b', 'c']]]);
  });

  it('all fail with the common request, and the next ones are asked again', async () => {
    let fails = true;
    const ask = gatherChecks(systemClock, async (ids) => {
      if (fails) throw new Error('No answer.');
      return ids;
    });
    const both = () => Promise.allSettled([ask('a', callOf(never())), ask('b', callOf(never()))]);
    expect((await both()).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await both()).toMatchObject([{ value: 'a' }, { value: 'b' }]);
  });

  it('end with their own signal, and the common request when no caller waits for it', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    let common: AbortSignal | undefined;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ask = gatherChecks<string>(systemClock, (_ids, { signal }) => {
      common = signal;
      begin();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    });
    const answers = [ask('a', callOf(first.signal)), ask('b', callOf(second.signal))];
    const ended = Promise.allSettled(answers);
    await begun;
    first.abort(new Error('the first left'));
    await expect(answers[0]).rejects.toThrow('the first left');
    expect(common?.aborted).toBe(false);
    second.abort(new Error('the second left'));
    await ended;
    expect(common?.aborted).toBe(true);
  });
});
