import { isSameFormat, pcmBytes, sampleBytes, type PcmFormat } from '../../../domain/pcm';

// Converts audio between the frame lengths and sample rates of clients and upstreams. A stage is fed piece by piece and
// returns what it can. It is synchronous, because audio arrives fifty times a second for every session.

export interface AudioStage {
  push(piece: Uint8Array): readonly Uint8Array[];
  /** Returns the rest at the end of the audio. */
  flush(): readonly Uint8Array[];
}

/**
 * Cuts the audio into pieces of `chunkMs`; the last one is the remainder. With `padLastToMs` a shorter remainder is
 * padded with silence, for upstreams that reject short pieces. Pieces of the source longer than `chunkMs` are divided.
 */
export function createCutter(
  format: PcmFormat,
  { chunkMs, padLastToMs }: { readonly chunkMs: number; readonly padLastToMs?: number },
): AudioStage {
  const size = pcmBytes(chunkMs / 1000, format);
  const buffer = new Uint8Array(size);
  let filled = 0;
  return {
    push(piece) {
      const cut: Uint8Array[] = [];
      let from = 0;
      while (from < piece.byteLength) {
        const count = Math.min(size - filled, piece.byteLength - from);
        buffer.set(piece.subarray(from, from + count), filled);
        filled += count;
        from += count;
        if (filled === size) {
          cut.push(buffer.slice());
          filled = 0;
        }
      }
      return cut;
    },
    flush() {
      if (filled === 0) return [];
      const least = padLastToMs === undefined ? 0 : Math.min(size, pcmBytes(padLastToMs / 1000, format));
      if (filled < least) silence(buffer.subarray(filled, least), format);
      return [buffer.slice(0, Math.max(filled, least))];
    },
  };
}

/** Passes pieces through; those longer than `maxMs` are divided. */
export function createDivider(format: PcmFormat, maxMs: number): AudioStage {
  const maxBytes = pcmBytes(maxMs / 1000, format);
  return {
    push(piece) {
      if (piece.byteLength <= maxBytes) return [piece];
      return Array.from({ length: Math.ceil(piece.byteLength / maxBytes) }, (_, index) =>
        piece.subarray(index * maxBytes, (index + 1) * maxBytes),
      );
    },
    flush: () => [],
  };
}

/** Converts the audio to another format: decodes, resamples if the rates differ, encodes. */
export function createReformatter(from: PcmFormat, to: PcmFormat): AudioStage {
  if (isSameFormat(from, to)) return { push: (piece) => [piece], flush: () => [] };
  const resampler = createResampler(from.sampleRateHz, to.sampleRateHz);
  const encoded = (samples: Float32Array) => (samples.length > 0 ? [encodeSamples(samples, to)] : []);
  return {
    push: (piece) => encoded(resampler.push(decodeSamples(piece, from))),
    flush: () => encoded(resampler.flush()),
  };
}

/** Chains two stages. */
export function joinStages(first: AudioStage, second: AudioStage): AudioStage {
  const through = (pieces: readonly Uint8Array[]) => {
    // Safe: there is one.
    if (pieces.length === 1) return second.push(pieces[0]!);
    return pieces.flatMap((piece) => second.push(piece));
  };
  return {
    push: (piece) => through(first.push(piece)),
    flush: () => [...through(first.flush()), ...second.flush()],
  };
}

/** Zero bytes are silence except in the companded encodings, where they are a loud click. */
function silence(bytes: Uint8Array, format: PcmFormat): void {
  bytes.fill(format.encoding === 'pcm_mulaw' ? 0xff : format.encoding === 'pcm_alaw' ? 0xd5 : 0);
}

/** Decodes bytes of any format into samples from −1 to 1; an incomplete sample at the end is dropped. */
export function decodeSamples(bytes: Uint8Array, format: PcmFormat): Float32Array<ArrayBuffer> {
  const count = Math.floor(bytes.byteLength / sampleBytes(format));
  const samples = new Float32Array(count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (format.encoding) {
    case 'pcm_s16le':
      for (let index = 0; index < count; index++) samples[index] = view.getInt16(index * 2, true) / 32768;
      break;
    case 'pcm_f32le':
      for (let index = 0; index < count; index++) {
        const sample = view.getFloat32(index * 4, true);
        // A NaN would spread through every following filter.
        samples[index] = Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0;
      }
      break;
    case 'pcm_mulaw':
      for (let index = 0; index < count; index++) samples[index] = mulawSample(view.getUint8(index)) / 32768;
      break;
    case 'pcm_alaw':
      for (let index = 0; index < count; index++) samples[index] = alawSample(view.getUint8(index)) / 32768;
      break;
  }
  return samples;
}

/** Encodes samples from −1 to 1 in any format; louder ones are clipped. */
export function encodeSamples(samples: Float32Array, format: PcmFormat): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * sampleBytes(format));
  const view = new DataView(bytes.buffer);
  for (const [index, value] of samples.entries()) {
    const sample = Math.max(-1, Math.min(1, value));
    const whole = Math.round(sample < 0 ? sample * 32768 : sample * 32767);
    if (format.encoding === 'pcm_s16le') view.setInt16(index * 2, whole, true);
    else if (format.encoding === 'pcm_f32le') view.setFloat32(index * 4, sample, true);
    else view.setUint8(index, format.encoding === 'pcm_mulaw' ? mulawByte(whole) : alawByte(whole));
  }
  return bytes;
}

/** ITU-T G.711. */
function mulawSample(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = ((((inverted & 0x0f) << 3) + 0x84) << ((inverted >> 4) & 7)) - 0x84;
  return inverted & 0x80 ? -magnitude : magnitude;
}

function alawSample(byte: number): number {
  const value = byte ^ 0x55;
  const segment = (value >> 4) & 7;
  const base = ((value & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? base : (base + 0x100) << (segment - 1);
  return value & 0x80 ? magnitude : -magnitude;
}

function mulawByte(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(32635, Math.abs(sample)) + 0x84;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function alawByte(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = Math.min(32767, sample < 0 ? -sample - 1 : sample);
  const exponent = Math.max(0, 31 - Math.clz32(Math.max(1, magnitude)) - 7);
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

export interface Resampler {
  /** Returns the output samples that are already determined; the filter keeps a few milliseconds back. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>;
  /** Returns what was kept back. */
  flush(): Float32Array<ArrayBuffer>;
}

/** Zero crossings of the sinc on each side: about 60 dB of rejection, cheap enough for a live stream. */
const HALF_WIDTH = 12;

/**
 * Resamples a stream by windowed-sinc interpolation, with a low-pass when downsampling, so that frequencies above the
 * new Nyquist limit do not alias into the speech. Length and delay are preserved: output sample n is the source at n ×
 * from / to.
 */
export function createResampler(fromHz: number, toHz: number): Resampler {
  if (fromHz === toHz) return { push: (samples) => Float32Array.from(samples), flush: () => new Float32Array(0) };
  const step = fromHz / toHz;
  const cutoff = Math.min(1, toHz / fromHz);
  const reach = Math.ceil(HALF_WIDTH / cutoff);
  // Rates are integers, so the positions between two source samples repeat: their weights are computed once.
  const phases = toHz / greatestCommonDivisor(fromHz, toHz);
  const weights = phaseWeights(phases, reach, cutoff, fromHz, toHz);

  let held = new Float32Array(reach);
  /** Source index of held[0]; the stream starts with silence before it. */
  let heldFrom = -reach;
  let produced = 0;

  function produce(untilIndex: number): Float32Array<ArrayBuffer> {
    const out: number[] = [];
    for (;;) {
      const position = produced * step;
      const centre = Math.floor(position + 1e-9);
      if (centre + reach >= untilIndex) break;
      const row = (produced % phases) * (2 * reach + 1);
      const start = centre - reach - heldFrom;
      let sum = 0;
      // Safe: the weights are a full row, and the loop above stops before the held samples end.
      for (let tap = 0; tap <= 2 * reach; tap++) sum += held[start + tap]! * weights[row + tap]!;
      out.push(sum);
      produced++;
    }
    const keepFrom = Math.max(heldFrom, Math.floor(produced * step + 1e-9) - reach);
    held = held.slice(keepFrom - heldFrom);
    heldFrom = keepFrom;
    return Float32Array.from(out);
  }

  return {
    push(samples) {
      const joined = new Float32Array(held.length + samples.length);
      joined.set(held);
      joined.set(samples, held.length);
      held = joined;
      return produce(heldFrom + held.length);
    },
    flush() {
      const end = heldFrom + held.length;
      const wanted = Math.round(end / step) - produced;
      const joined = new Float32Array(held.length + 2 * reach + Math.ceil(step) + 2);
      joined.set(held);
      held = joined;
      return produce(heldFrom + held.length).slice(0, Math.max(0, wanted));
    },
  };
}

function phaseWeights(phases: number, reach: number, cutoff: number, fromHz: number, toHz: number): Float32Array {
  const width = 2 * reach + 1;
  const weights = new Float32Array(phases * width);
  for (let phase = 0; phase < phases; phase++) {
    const fraction = ((phase * fromHz) % toHz) / toHz;
    let sum = 0;
    for (let tap = 0; tap < width; tap++) {
      const distance = tap - reach - fraction;
      const weight = sinc(distance * cutoff) * blackman(distance / (reach + 1));
      weights[phase * width + tap] = weight;
      sum += weight;
    }
    // Each row adds up to one, so that the volume does not ripple with the phase.
    for (let tap = 0; tap < width; tap++) weights[phase * width + tap] = (weights[phase * width + tap] ?? 0) / sum;
  }
  return weights;
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
const blackman = (x: number) =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
