import { describe, expect, it } from 'vitest';
import { newId, type OrgId, type VideoId } from '../../../../lib/domain/ids';
import type { Mode } from '../../../../lib/domain/video';
import { createRenderQueue, MAX_WAITING } from '../../../../lib/providers/sandbox/renderer/render-queue';

function scene() {
  const queue = createRenderQueue();
  const names = new Map<VideoId, string>();
  let second = 0;
  return {
    queue,
    /** Adds videos, each of which starts a second after the one before. */
    add(name: string, orgId: OrgId, mode: Mode = 'test', count = 1): VideoId[] {
      return Array.from({ length: count }, (_, n) => {
        const videoId = newId('video');
        names.set(videoId, count === 1 ? name : `${name}${n + 1}`);
        second += 1;
        queue.add(videoId, { owner: { orgId, mode }, startedAt: new Date(second * 1_000).toISOString() });
        return videoId;
      });
    },
    takeAll(): string[] {
      const taken: string[] = [];
      for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(names.get(next)!);
      return taken;
    },
    take: () => names.get(queue.take()!),
  };
}

const [flooding, other, third] = [newId('org'), newId('org'), newId('org')];

describe('the order of waiting videos', () => {
  it('is that of their starts within an organisation, however they were added', () => {
    const queue = createRenderQueue();
    const [later, earlier] = [newId('video'), newId('video')];
    const owner = { orgId: other, mode: 'test' } as const;
    queue.add(later, { owner, startedAt: '2026-11-25T10:00:01.000Z' });
    queue.add(earlier, { owner, startedAt: '2026-11-25T10:00:00.000Z' });
    expect([queue.take(), queue.take(), queue.take()]).toEqual([earlier, later, undefined]);
  });

  it('lets organisations take turns, however many videos each has', () => {
    const { add, takeAll } = scene();
    add('a', flooding, 'test', 4);
    add('b', other, 'test', 2);
    add('c', third);
    expect(takeAll()).toEqual(['a1', 'b1', 'c', 'a2', 'b2', 'a3', 'a4']);
  });

  it('puts the video of an organisation that comes later next', () => {
    const { add, take } = scene();
    add('a', flooding, 'test', 50);
    for (let n = 1; n <= 10; n += 1) expect(take()).toBe(`a${n}`);
    add('b', other);
    expect([take(), take()]).toEqual(['b', 'a11']);
  });

  it('puts live videos before test videos', () => {
    const { add, takeAll } = scene();
    add('test', flooding, 'test', 2);
    add('live', other, 'live', 2);
    expect(takeAll()).toEqual(['live1', 'live2', 'test1', 'test2']);
  });

  it('leaves out what was removed', () => {
    const { queue, add, takeAll } = scene();
    const [, second] = add('a', flooding, 'test', 3);
    queue.remove(second!);
    expect(queue.has(second!)).toBe(false);
    expect(takeAll()).toEqual(['a1', 'a3']);
  });
});

describe('the place of a waiting video', () => {
  it('is that in which it is taken', () => {
    const { queue, add } = scene();
    const ids = [
      ...add('a', flooding, 'test', 5),
      ...add('b', other, 'test', 3),
      ...add('c', third, 'live', 2),
      ...add('d', flooding, 'live'),
    ];
    queue.take();
    const places = new Map(ids.map((id) => [id, queue.placeOf(id)]));
    const taken: VideoId[] = [];
    for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
    expect(taken.map((id) => places.get(id))).toEqual(taken.map((_, at) => at + 1));
  });

  it('is unknown for a video that does not wait', () => {
    expect(createRenderQueue().placeOf(newId('video'))).toBeUndefined();
  });
});

describe('the room of the queue', () => {
  it('is at most half for one organisation, and there is always some for another', () => {
    const { queue, add } = scene();
    let count = 0;
    while (!queue.isFullFor({ orgId: flooding, mode: 'test' })) {
      add('a', flooding);
      count += 1;
    }
    expect(count).toBe(MAX_WAITING / 2 + 1);
    expect(queue.isFullFor({ orgId: other, mode: 'test' })).toBe(false);
  });
});
