import { describe, expect, it } from 'vitest';
import { readWav, wavFile } from '../../../lib/io/wav';

const samples = Int16Array.from([0, 1, -1, 32_767, -32_768]);

describe('readWav', () => {
  it('reads what wavFile writes', () => {
    const sound = readWav(wavFile(samples, 24_000));
    expect(sound?.sampleRateHz).toBe(24_000);
    expect(Buffer.from(sound?.samples ?? [])).toEqual(Buffer.from(samples.buffer));
  });

  it('skips chunks that it does not know, and reads a file that was cut off as far as it goes', () => {
    const file = Buffer.from(wavFile(samples, 8_000));
    const odd = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')]);
    const longer = Buffer.concat([file.subarray(0, 36), odd, file.subarray(36)]);
    expect(readWav(longer)?.samples.length).toBe(10);
    expect(readWav(longer.subarray(0, -4))?.samples.length).toBe(6);
  });

  it.each([
    ['no WAV file', Buffer.alloc(100)],
    ['too short', Buffer.from(wavFile(samples, 8_000)).subarray(0, 40)],
    ['stereo', changed(22, 2)],
    ['8 bits', changed(34, 8)],
    ['compressed', changed(20, 85)],
  ])('refuses one that is %s', (_, file) => {
    expect(readWav(file)).toBeUndefined();
  });
});

function changed(at: number, value: number): Buffer {
  const file = Buffer.from(wavFile(samples, 8_000));
  file.writeUInt16LE(value, at);
  return file;
}
