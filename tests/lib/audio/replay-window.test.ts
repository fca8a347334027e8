import { beforeEach, describe, expect, it } from 'vitest';
import { createBlockPool } from '../../../lib/audio/replay-buffer';
import { createReplayWindow, type ReplayWindow } from '../../../lib/audio/replay-window';
import type { SttModel } from '../../../lib/domain/model';
import { createTestClock, type TestClock } from '../../support/clock';

const format = { encoding: 'pcm_s16le', sampleRateHz: 16_000 } as const;
const BYTES_PER_SECOND = 32_000;

let clock: TestClock;
let replay: ReplayWindow;

function open(wordTimes: SttModel['stt']['wordTimes']): void {
  clock = createTestClock();
  replay = createReplayWindow({ blocks: createBlockPool(), clock, format, wordTimes });
}

/** Adds audio in frames of 20 ms, as it is spoken. */
async function speak(seconds: number): Promise<void> {
  for (let frame = 0; frame < seconds * 50; frame += 1) {
    replay.add(new Uint8Array(BYTES_PER_SECOND / 50));
    await clock.advance(20);
  }
}

const word = (startSeconds: number, endSeconds: number) => ({ word: 'hello', startSeconds, endSeconds });
const storedSeconds = () => replay.pieces().reduce((sum, { byteLength }) => sum + byteLength, 0) / BYTES_PER_SECOND;

describe('of a model with times for words, the audio', () => {
  beforeEach(() => open('exact'));

  it('is kept for about a second of silence, and is complete without more', async () => {
    await speak(10);
    expect(storedSeconds()).toBeGreaterThanOrEqual(1);
    expect(storedSeconds()).toBeLessThan(1.3);
    expect(replay.startSeconds() + storedSeconds()).toBeCloseTo(replay.endSeconds());
    expect([replay.endSeconds(), replay.isComplete()]).toEqual([10, true]);
  });

  it('is kept from the start of a sentence, for at most fifteen seconds', async () => {
    await speak(1);
    replay.said({ text: 'hello', isFinal: false, words: [word(0.2, 0.9)] });
    await speak(13);
    expect([replay.startSeconds(), replay.isComplete()]).toEqual([0, true]);
    await speak(4);
    expect(storedSeconds()).toBeLessThan(15.1);
    expect([replay.interim()?.text, replay.isComplete()]).toEqual(['hello', false]);
  });

  it('is dropped up to the end of the last word of a final text', async () => {
    await speak(1);
    replay.said({ text: 'hello', isFinal: true, words: [word(0.2, 0.75)] });
    expect([replay.startSeconds(), storedSeconds(), replay.isComplete()]).toEqual([0.75, 0.25, true]);
    expect(replay.interim()).toBeUndefined();
  });
});

describe('of a model without times for words, the audio', () => {
  beforeEach(() => open('none'));

  it('is kept also without text, because no silence is known', async () => {
    await speak(14);
    expect([storedSeconds(), replay.isComplete()]).toEqual([14, true]);
    await speak(2);
    expect(replay.isComplete()).toBe(false);
    replay.said({ text: 'hello', isFinal: true });
    expect([storedSeconds(), replay.isComplete()]).toEqual([0, true]);
  });
});
