import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  colourMatrixFor,
  namedColourMatrix,
  writeI420,
  writeRgba,
} from '../../../../lib/providers/sandbox/renderer/i420';
import { dropUndrawable, loadLettering, setFont, wrap } from '../../../../lib/providers/sandbox/renderer/lettering';
import { readPictureSize } from '../../../../lib/providers/sandbox/renderer/picture-size';
import { createRandom } from '../../../../lib/providers/sandbox/renderer/random';
import { createSound, sampleRateHz } from '../../../../lib/providers/sandbox/renderer/sound';

describe('readPictureSize', () => {
  const canvas = createCanvas(46, 23);
  canvas.getContext('2d').fillRect(0, 0, 20, 20);

  it.each([
    ['image/png', canvas.toBuffer('image/png')],
    ['image/jpeg', canvas.toBuffer('image/jpeg')],
    ['image/webp', canvas.toBuffer('image/webp', 80)],
    ['image/avif', canvas.toBuffer('image/avif')],
    ['image/gif', canvas.toBuffer('image/gif')],
  ])('reads the size of %s before anything is decoded', (contentType, bytes) => {
    expect(readPictureSize(bytes, contentType)).toEqual({ width: 46, height: 23 });
  });

  it('returns nothing for bytes that are cut off, damaged or of another type, and never fails', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        fc.constantFrom('image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif', 'image/bmp'),
        (bytes, contentType) => {
          const size = readPictureSize(bytes, contentType);
          expect(size === undefined || size.width >= 0).toBe(true);
        },
      ),
    );
    expect(readPictureSize(canvas.toBuffer('image/png').subarray(0, 20), 'image/png')).toBeUndefined();
    expect(readPictureSize(canvas.toBuffer('image/png'), 'image/svg+xml')).toBeUndefined();
  });
});

describe('pixels', () => {
  it.each([1080, 360])('survive the round trip through I420, within rounding (as coded for %i lines)', (lines) => {
    const matrix = colourMatrixFor(lines);
    const colours = [
      [0, 0, 0],
      [255, 255, 255],
      [200, 40, 30],
      [20, 160, 70],
      [30, 60, 220],
      [240, 200, 20],
    ] as const;
    for (const colour of colours) {
      const rgba = new Uint8Array(4 * 4 * 4).map((_, at) => (at % 4 === 3 ? 255 : (colour[at % 4] ?? 0)));
      const i420 = new Uint8Array((4 * 4 * 3) / 2);
      const back = new Uint8ClampedArray(rgba.length);
      writeI420(rgba, 4, 4, matrix, i420);
      expect(Math.min(...i420)).toBeGreaterThanOrEqual(16);
      expect(Math.max(...i420)).toBeLessThanOrEqual(240);
      writeRgba(i420, { width: 4, height: 4 }, 4, 4, matrix, back);
      expect(Math.max(...rgba.map((value, at) => Math.abs(value - (back[at] ?? 0))))).toBeLessThanOrEqual(4);
    }
  });

  it('outside the picture, which a decoder adds to fill its blocks, are left out', () => {
    const coded = { width: 4, height: 4 };
    const i420 = new Uint8Array(24).fill(128);
    i420.set([235, 235, 16, 16, 235, 235, 16, 16], 0);
    const rgba = new Uint8ClampedArray(2 * 2 * 4);
    writeRgba(i420, coded, 2, 2, namedColourMatrix('bt709', 2), rgba);
    expect([...rgba]).toEqual(Array.from({ length: 16 }, () => 255));
  });
});

describe('lettering', () => {
  const lettering = loadLettering();
  const brush = createCanvas(8, 8).getContext('2d');

  it('wraps any text within the width, in order and without losing a letter', () => {
    setFont(brush, lettering.text, 20, 600);
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), fc.integer({ min: 60, max: 400 }), (text, width) => {
        const lines = wrap(brush, text, width);
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const line of lines) expect(line.length === 1 || brush.measureText(line).width <= width).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps Latin, Greek, Cyrillic and Vietnamese, and leaves out letters that no font has', () => {
    const text = 'Ämne źdźbło Ωμέγα Привет Việt';
    expect(dropUndrawable(text, lettering)).toEqual({ text, dropped: false });
    expect(dropUndrawable('A \u{10fffd}\u{10fffc} B', lettering)).toEqual({ text: 'A … B', dropped: true });
  });
});

describe('sound', () => {
  it('is the same from the middle as from the beginning, quiet, and silent at both ends', () => {
    const sound = createSound('a seed', 2);
    const whole = sound(0, 2 * sampleRateHz);
    expect(sound(sampleRateHz, 100)).toEqual(whole.slice(sampleRateHz * 2, (sampleRateHz + 100) * 2));
    const loudest = whole.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(loudest).toBeGreaterThan(0.05);
    expect(loudest).toBeLessThan(0.9);
    expect([whole[0], Math.abs(whole.at(-1) ?? 1) < 0.001]).toEqual([0, true]);
  });
});

describe('createRandom', () => {
  it('gives numbers from 0 to 1, evenly, and others for another seed', () => {
    const random = createRandom('seed');
    const numbers = Array.from({ length: 4_000 }, random);
    expect(numbers.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(numbers.reduce((sum, value) => sum + value, 0) / numbers.length).toBeCloseTo(0.5, 1);
    const [one, two] = [createRandom('seed 1'), createRandom('seed 2')];
    expect([one(), one()]).not.toEqual([two(), two()]);
  });
});
