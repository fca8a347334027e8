import { describe, expect, it } from 'vitest';
import { BASE62, isId, newId, newMessageId, randomBase62 } from '../../../lib/domain/ids';

const kinds = ['org', 'user', 'key', 'video', 'hold', 'delivery', 'request', 'transfer'] as const;

describe('newId', () => {
  it('belongs to its own kind and no other', () => {
    for (const kind of kinds) {
      const id = newId(kind);
      expect(kinds.filter((other) => isId(other, id))).toEqual([kind]);
    }
  });

  it('has the documented prefixes', () => {
    expect([newId('video'), newId('request'), newId('delivery')].map((id) => id.split('_')[0])).toEqual([
      'video',
      'req',
      'msg',
    ]);
  });

  it('is the prefix and 32 hex digits, each about equally often', () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 1_000; index++) {
      const id = newId('video');
      expect(id).toMatch(/^video_[0-9a-f]{32}$/);
      for (const digit of id.slice('video_'.length)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    // Of two thousand draws each; seven standard deviations.
    expect(counts.size).toBe(16);
    expect(Math.min(...counts.values())).toBeGreaterThan(1_690);
    expect(Math.max(...counts.values())).toBeLessThan(2_310);
  });

  it('is never repeated', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('video'))).size).toBe(10_000);
  });
});

describe('isId', () => {
  const good = 'a'.repeat(32);
  it.each([
    `video_${good}a`,
    `video_${good.slice(1)}`,
    `video_${good.toUpperCase()}`,
    `video-${good}`,
    ` video_${good}`,
    `video_${good}\n`,
    `VIDEO_${good}`,
    good,
    '',
    `video_${good.slice(1)}g`,
    `xvideo_${good}`,
  ])('refuses %j', (text) => {
    expect(isId('video', text)).toBe(false);
  });
});

describe('randomBase62', () => {
  it('has the given length and is never repeated', () => {
    const seen = new Set(Array.from({ length: 10_000 }, () => randomBase62(24)));
    expect(seen.size).toBe(10_000);
    expect([...seen].every((text) => /^[0-9A-Za-z]{24}$/.test(text))).toBe(true);
  });

  it('uses each of the 62 characters about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...counts.keys()].toSorted()).toEqual([...BASE62].toSorted());
    // Of a thousand draws each; seven standard deviations.
    expect(Math.min(...counts.values())).toBeGreaterThan(780);
    expect(Math.max(...counts.values())).toBeLessThan(1_220);
  });
});

describe('newMessageId', () => {
  it('is msg_ and 24 letters or digits, and is never repeated', () => {
    const ids = new Set(Array.from({ length: 1_000 }, newMessageId));
    expect(ids.size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^msg_[0-9A-Za-z]{24}$/);
  });
});
