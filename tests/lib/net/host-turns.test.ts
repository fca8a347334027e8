import { describe, expect, it } from 'vitest';
import { createHostTurns } from '../../../lib/net/host-turns';

const never = new AbortController().signal;
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('turns of a host', () => {
  it('limit how many run at once, and all run in the end', async () => {
    const turns = createHostTurns(5);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (running += 1));
      await pause();
      running -= 1;
    };
    await Promise.all(Array.from({ length: 40 }, () => turns.run('one.example', new AbortController().signal, work)));
    expect([most, running]).toEqual([5, 0]);
  });

  it('do not wait for another host, nor for one that failed', async () => {
    const turns = createHostTurns(1);
    let open = () => {};
    const first = turns.run('one.example', never, () => new Promise<void>((resolve) => (open = resolve)));
    expect(await turns.run('two.example', never, async () => 'at once')).toBe('at once');
    const failing = turns.run('one.example', never, () => Promise.reject(new Error('broken')));
    const last = turns.run('one.example', never, async () => 'in turn');
    open();
    await first;
    await expect(failing).rejects.toThrow('broken');
    expect(await last).toBe('in turn');
  });

  it('are released by callers that abort while they wait', async () => {
    const turns = createHostTurns(1);
    const leaving = new AbortController();
    let open = () => {};
    const first = turns.run('one.example', never, () => new Promise<void>((resolve) => (open = resolve)));
    const second = turns.run('one.example', leaving.signal, async () => 'not reached');
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    open();
    await first;
    expect(await turns.run('one.example', never, async () => 'free')).toBe('free');
  });

  it('are taken by organisations in rotation, after those that go first', async () => {
    const turns = createHostTurns(1);
    let open = () => {};
    const first = turns.run('one.example', never, () => new Promise<void>((resolve) => (open = resolve)));
    const began: string[] = [];
    const begin = (name: string, orgId: string, isFirst?: boolean) =>
      turns.run('one.example', never, async () => void began.push(name), { orgId, isFirst: isFirst === true });
    const all = [
      ...['a1', 'a2', 'a3', 'a4'].map((name) => begin(name, 'a')),
      ...['b1', 'b2'].map((name) => begin(name, 'b')),
      begin('c1', 'c', true),
    ];
    open();
    await Promise.all([first, ...all]);
    expect(began).toEqual(['c1', 'a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });
});
