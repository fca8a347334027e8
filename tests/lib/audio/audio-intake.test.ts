import { beforeEach, describe, expect, it } from 'vitest';
import { createAudioIntake, type AudioIntake } from '../../../lib/audio/audio-intake';
import type { AudioReading } from '../../../lib/audio/audio-queue';
import { createTestClock, type TestClock } from '../../support/clock';

const format = { encoding: 'pcm_s16le', sampleRateHz: 16_000 } as const;
/** 100 ms. */
const piece = () => new Uint8Array(3_200).fill(1);

let clock: TestClock;
let intake: AudioIntake;
/** Each change of whether the socket is read. */
let reads: ('read' | 'wait')[];
let failures: string[];
let pauseMs: number;
let waitsForCredit: boolean;

beforeEach(() => {
  clock = createTestClock();
  reads = [];
  failures = [];
  pauseMs = 0;
  waitsForCredit = false;
  intake = createAudioIntake({
    format,
    budget: { countAudio: () => pauseMs },
    after: (ms, run) => void clock.after(ms, run),
    wait: (isWaiting) => reads.push(isWaiting ? 'wait' : 'read'),
    waitsForCredit: () => waitsForCredit,
    fail: ({ code, extra }) => failures.push(`${code}: ${extra.detail}`),
  });
});

function take(pieces: number, isOpening = false): void {
  for (let taken = 0; taken < pieces; taken += 1) intake.take(piece(), isOpening);
}

async function pull(pieces: number): Promise<void> {
  const reading: AudioReading = intake.queue.read({ pass: () => true });
  const iterator = reading[Symbol.asyncIterator]();
  for (let pulled = 0; pulled < pieces; pulled += 1) await iterator.next();
}

describe('the audio of a client', () => {
  it('is queued for five seconds while the upstream opens, and no longer', () => {
    take(50, true);
    expect(() => take(1, true)).toThrow('More than 5 seconds of audio');
    expect(reads).toEqual([]);
  });

  it('is left in the socket above two seconds, until one second is left', async () => {
    take(20);
    expect(reads).toEqual([]);
    take(2);
    expect(reads).toEqual(['wait']);
    await pull(11);
    expect(reads).toEqual(['wait']);
    await pull(1);
    expect(reads).toEqual(['wait', 'read']);
  });

  it('fails after ten seconds in which the upstream took nothing, but not while it waits for our ledger', async () => {
    take(21);
    waitsForCredit = true;
    await clock.advance(10_000);
    expect(failures).toEqual([]);
    waitsForCredit = false;
    await clock.advance(9_999);
    expect(failures).toEqual([]);
    await clock.advance(1);
    expect(failures).toEqual(['upstream_invalid_response: the provider takes no more audio']);
  });

  it('is left in the socket for as long as it came too fast, also when the upstream keeps pace', async () => {
    pauseMs = 300;
    take(2);
    expect(reads).toEqual(['wait']);
    await clock.advance(299);
    expect(reads).toEqual(['wait']);
    await clock.advance(1);
    expect(reads).toEqual(['wait', 'read']);
  });

  it('is not taken any more after its end, at which the socket is read again', () => {
    take(21);
    intake.finish();
    expect(reads).toEqual(['wait', 'read']);
    const queued = intake.queue.bytes();
    take(5);
    expect(intake.queue.bytes()).toBe(queued);
  });

  it('has whole samples, and no container', () => {
    expect(() => intake.take(new Uint8Array(3), false)).toThrow('3 bytes');
    const riff = Buffer.from('RIFF\0\0\0\0WAVEfmt ');
    const other = createAudioIntake({
      format,
      budget: { countAudio: () => 0 },
      after: () => {},
      wait: () => {},
      waitsForCredit: () => false,
      fail: () => {},
    });
    expect(() => other.take(riff, false)).toThrow();
  });
});
