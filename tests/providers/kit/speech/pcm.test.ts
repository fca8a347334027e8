import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pcmBytes, pcmEncodings, pcmSeconds, type PcmFormat } from '../../../../lib/domain/pcm';
import {
  createCutter,
  createDivider,
  createReformatter,
  createResampler,
  decodeSamples,
  encodeSamples,
  joinStages,
  type AudioStage,
} from '../../../../lib/providers/kit/speech/pcm';

const wide: PcmFormat = { encoding: 'pcm_s16le', sampleRateHz: 16_000 };

/** Copies all output of a stage for these chunks. */
const passed = (stage: AudioStage, pieces: Iterable<Uint8Array>) =>
  [...[...pieces].flatMap((piece) => stage.push(piece)), ...stage.flush()].map((piece) => Buffer.from(piece));
const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / rate),
  );
const loudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe('createCutter', () => {
  it('keeps every byte, in chunks of one length and a rest, for any input chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 200 }),
        (pieces, chunkMs) => {
          const out = passed(createCutter(wide, { chunkMs }), pieces);
          expect(Buffer.concat(out).equals(Buffer.concat(pieces))).toBe(true);
          expect(out.slice(0, -1).every((piece) => piece.byteLength === pcmBytes(chunkMs / 1000, wide))).toBe(true);
          expect(out.every((piece) => piece.byteLength > 0)).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['pcm_s16le', 0],
    ['pcm_mulaw', 0xff],
    ['pcm_alaw', 0xd5],
  ] as const)('pads a short rest with the silence of %s', (encoding, zero) => {
    const format: PcmFormat = { encoding, sampleRateHz: 8000 };
    const [only] = passed(createCutter(format, { chunkMs: 100, padLastToMs: 50 }), [new Uint8Array(80).fill(7)]);
    expect(only?.byteLength).toBe(pcmBytes(0.05, format));
    expect(only?.subarray(80).every((byte) => byte === zero)).toBe(true);
  });
});

describe('the encodings', () => {
  it.each(pcmEncodings)('%s survives the round trip, within its precision', (encoding) => {
    const format: PcmFormat = { encoding, sampleRateHz: 16_000 };
    const samples = tone(440, 16_000, 0.1);
    const back = decodeSamples(encodeSamples(samples, format), format);
    expect(back).toHaveLength(samples.length);
    const error = loudness(back.map((sample, index) => sample - samples[index]!));
    expect(error).toBeLessThan(encoding === 'pcm_mulaw' || encoding === 'pcm_alaw' ? 0.02 : 0.0001);
  });

  it('know the reference values of G.711', () => {
    const mulaw: PcmFormat = { encoding: 'pcm_mulaw', sampleRateHz: 8000 };
    const alaw: PcmFormat = { encoding: 'pcm_alaw', sampleRateHz: 8000 };
    expect(
      [...decodeSamples(new Uint8Array([0x00, 0x80, 0xff, 0x7f]), mulaw)].map((sample) => Math.round(sample * 32_768)),
    ).toEqual([-32_124, 32_124, 0, -0]);
    expect(
      [...decodeSamples(new Uint8Array([0x2a, 0xaa, 0xd5, 0x55]), alaw)].map((sample) => Math.round(sample * 32_768)),
    ).toEqual([-32_256, 32_256, 8, -8]);
  });

  it('drop a partial sample and invalid numbers', () => {
    expect(decodeSamples(new Uint8Array(5), wide)).toHaveLength(2);
    const broken = new Uint8Array(new Float32Array([NaN, Infinity, 0.5]).buffer);
    expect([...decodeSamples(broken, { encoding: 'pcm_f32le', sampleRateHz: 8000 })]).toEqual([0, 0, 0.5]);
  });
});

describe('createResampler', () => {
  it.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [8000, 16_000],
    [16_000, 24_000],
    [22_050, 48_000],
    [16_000, 16_000],
  ])('keeps length, pitch and loudness from %i to %i Hz', (from, to) => {
    const resampler = createResampler(from, to);
    const source = tone(440, from, 0.5);
    const parts: Float32Array[] = [];
    for (let at = 0; at < source.length; at += 777) parts.push(resampler.push(source.subarray(at, at + 777)));
    parts.push(resampler.flush());
    const out = Float32Array.from(parts.flatMap((part) => [...part]));
    expect(Math.abs(out.length - to / 2)).toBeLessThanOrEqual(1);
    const expected = tone(440, to, 0.5);
    const middle = (samples: Float32Array) => samples.subarray(samples.length / 4, (samples.length * 3) / 4);
    const difference = middle(out).map((sample, index) => sample - middle(expected)[index]!);
    expect(loudness(difference)).toBeLessThan(0.005);
  });

  it('filters frequencies that are too high for the new rate', () => {
    const resampler = createResampler(48_000, 16_000);
    const out = resampler.push(tone(11_000, 48_000, 0.5));
    expect(loudness(out.subarray(1000, 7000))).toBeLessThan(0.003);
  });

  it('gives the same result for any chunks', () => {
    const source = tone(300, 44_100, 0.2);
    const whole = createResampler(44_100, 16_000);
    const pieces = createResampler(44_100, 16_000);
    const one = [...whole.push(source), ...whole.flush()];
    const many = Array.from(source, (sample) => [...pieces.push(Float32Array.of(sample))]).flat();
    expect([...many, ...pieces.flush()]).toEqual(one);
  });
});

describe('createDivider', () => {
  it('keeps every byte, in chunks of whole samples below the maximum length', () => {
    const source = Uint8Array.from({ length: 7_000 }, (_, index) => index);
    const out = passed(createDivider(wide, 100), [source.subarray(0, 640), source.subarray(640)]);
    expect(Buffer.concat(out).equals(source)).toBe(true);
    expect(out.map((piece) => piece.byteLength)).toEqual([640, 3_200, 3_160]);
  });
});

describe('createReformatter', () => {
  it('changes rate and encoding together, also before a cutter', () => {
    const mulaw: PcmFormat = { encoding: 'pcm_mulaw', sampleRateHz: 8000 };
    const source = encodeSamples(tone(440, 8000, 0.5), mulaw);
    const target: PcmFormat = { encoding: 'pcm_s16le', sampleRateHz: 24_000 };
    const pieces = [source.subarray(0, 1000), source.subarray(1000)];
    const out = Buffer.concat(passed(createReformatter(mulaw, target), pieces));
    expect(pcmSeconds(out.byteLength, target)).toBeCloseTo(0.5, 3);
    const cut = passed(joinStages(createReformatter(mulaw, target), createCutter(target, { chunkMs: 50 })), pieces);
    expect(Buffer.concat(cut).equals(out)).toBe(true);
    expect(cut.slice(0, -1).every((piece) => piece.byteLength === 2_400)).toBe(true);
  });
});
