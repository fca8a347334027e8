import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isRenderLocked, takeRenderLock } from '../../../../lib/providers/sandbox/renderer/render-lock';
import { createTestClock } from '../../../support/clock';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lock-'));
  file = path.join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const never = () => expect.fail('The lock was lost.');
const age = (seconds: number) => utimes(file, new Date(), new Date(Date.now() - seconds * 1_000));

describe('takeRenderLock', () => {
  it('is held by one renderer, and free again when it is released', async () => {
    const clock = createTestClock();
    const lock = await takeRenderLock(file, clock, never);
    expect(await isRenderLocked(file)).toBe(true);
    expect(await takeRenderLock(file, clock, never)).toBeUndefined();
    await lock?.release();
    expect(await isRenderLocked(file)).toBe(false);
    await (await takeRenderLock(file, clock, never))?.release();
  });

  it('goes to one of many simultaneous renderers, even if the last holder is dead', async () => {
    for (const dead of [false, true]) {
      await rm(file, { force: true });
      if (dead) {
        await writeFile(file, 'somebody');
        await age(16);
      }
      const locks = await Promise.all(
        Array.from({ length: 12 }, () => takeRenderLock(file, createTestClock(), () => {})),
      );
      expect(locks.filter((lock) => lock !== undefined)).toHaveLength(1);
    }
  });

  it('is taken over fifteen seconds after its last renewal, and not sooner', async () => {
    await writeFile(file, 'somebody');
    await age(13);
    expect(await takeRenderLock(file, createTestClock(), never)).toBeUndefined();
    await age(16);
    expect(await isRenderLocked(file)).toBe(false);
    const lock = await takeRenderLock(file, createTestClock(), never);
    expect(lock).toBeDefined();
    await lock?.release();
  });

  it('is renewed every few seconds', async () => {
    const clock = createTestClock();
    const lock = await takeRenderLock(file, clock, never);
    for (let sign = 0; sign < 3; sign++) {
      await age(14);
      await vi.waitFor(async () => {
        await clock.advance(4_000);
        expect(Date.now() - (await stat(file)).mtimeMs).toBeLessThan(5_000);
      });
    }
    await lock?.release();
  });

  it('tells its holder when another renderer has it, and then leaves it alone', async () => {
    const clock = createTestClock();
    let lost = 0;
    const lock = await takeRenderLock(file, clock, () => lost++);
    await writeFile(file, 'somebody');
    await vi.waitFor(async () => {
      await clock.advance(4_000);
      expect(lost).toBe(1);
    });
    await clock.advance(60_000);
    expect(lost).toBe(1);
    await lock?.release();
    expect(await readFile(file, 'utf8')).toBe('somebody');
  });
});
