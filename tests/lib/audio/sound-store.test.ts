import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSoundStore } from '../../../lib/audio/sound-store';

describe('createSoundStore', () => {
  it('holds exactly what was added behind what was dropped, whatever the lengths are', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ bytes: fc.integer({ min: 0, max: 20_000 }), drop: fc.integer({ min: 0, max: 60_000 }) }), { maxLength: 20 }), (steps) => {
        const store = createSoundStore();
        const all: number[] = [];
        let dropped = 0;
        for (const { bytes, drop } of steps) {
          const piece = Uint8Array.from({ length: bytes }, (_, index) => all.length + index);
          store.add(piece);
          for (const byte of piece) all.push(byte);
          store.dropBefore(drop);
          dropped = Math.min(Math.max(dropped, drop), all.length);
          expect([store.start(), store.end()]).toEqual([dropped, all.length]);
          expect(Buffer.concat(store.pieces()).equals(Uint8Array.from(all.slice(dropped)))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});
