import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlockPool, createReplayBuffer } from '../../../lib/audio/replay-buffer';

describe('createReplayBuffer', () => {
  it('holds exactly what was added behind what was dropped, whatever the lengths are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ bytes: fc.integer({ min: 0, max: 20_000 }), drop: fc.integer({ min: 0, max: 60_000 }) }), {
          maxLength: 20,
        }),
        (steps) => {
          const pool = createBlockPool();
          // Blocks move between the two and back without their contents.
          const store = createReplayBuffer(pool);
          const other = createReplayBuffer(pool);
          const all: number[] = [];
          let dropped = 0;
          for (const { bytes, drop } of steps) {
            const piece = Uint8Array.from({ length: bytes }, (_, index) => all.length + index);
            other.add(piece.map((byte) => 255 - byte));
            store.add(piece);
            other.dropBefore(Math.max(0, other.end() - 3_000));
            for (const byte of piece) all.push(byte);
            store.dropBefore(drop);
            dropped = Math.min(Math.max(dropped, drop), all.length);
            expect([store.start(), store.end()]).toEqual([dropped, all.length]);
            expect(Buffer.concat(store.pieces()).equals(Uint8Array.from(all.slice(dropped)))).toBe(true);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('createBlockPool', () => {
  const take = (pool: ReturnType<typeof createBlockPool>, count: number) =>
    Array.from({ length: count }, () => pool.take());
  const slabsOf = (blocks: readonly Uint8Array[]) => new Set(blocks.map(({ buffer }) => buffer));

  it('reuses returned blocks, and never gives the same block twice', () => {
    const pool = createBlockPool();
    const first = take(pool, 200);
    expect(new Set(first).size).toBe(200);
    for (const block of first) pool.giveBack(block);
    const second = take(pool, 200);
    expect(new Set(second).size).toBe(200);
    expect(slabsOf(second)).toEqual(slabsOf(first));
  });

  it('releases unused memory beyond 16 MB', () => {
    const pool = createBlockPool();
    const first = take(pool, 100 * 64);
    for (const block of first) pool.giveBack(block);
    const known = slabsOf(first);
    expect([...slabsOf(take(pool, 100 * 64))].filter((slab) => known.has(slab))).toHaveLength(64);
  });
});
