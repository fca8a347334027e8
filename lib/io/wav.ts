// WAV files of raw samples. Format: RIFF, http://soundfile.sapp.org/doc/WaveFormat (fields little-endian).

const HEADER_BYTES = 44;
const PCM = 1;
const EXTENSIBLE = 0xfffe;

/** Returns a WAV file of 16-bit mono samples. */
export function wavFile(samples: Int16Array<ArrayBuffer>, sampleRateHz: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(HEADER_BYTES + samples.byteLength);
  const header = new DataView(file.buffer);
  const text = (at: number, word: string) => file.set(new TextEncoder().encode(word), at);
  text(0, 'RIFF');
  header.setUint32(4, 36 + samples.byteLength, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, PCM, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRateHz, true);
  header.setUint32(28, sampleRateHz * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  text(36, 'data');
  header.setUint32(40, samples.byteLength, true);
  file.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), HEADER_BYTES);
  return file;
}

export interface WavSound {
  readonly sampleRateHz: number;
  /** 16-bit little-endian, mono. */
  readonly samples: Uint8Array;
}

/**
 * Reads the samples of a WAV file; undefined if it does not have 16-bit mono samples. A truncated file is read as far
 * as it goes.
 */
export function readWav(file: Uint8Array): WavSound | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const word = (at: number) => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.byteLength < HEADER_BYTES || word(0) !== 'RIFF' || word(8) !== 'WAVE') return undefined;
  let sampleRateHz: number | undefined;
  for (let at = 12; at + 8 <= file.byteLength;) {
    const size = view.getUint32(at + 4, true);
    const start = at + 8;
    if (word(at) === 'fmt ' && start + 16 <= file.byteLength) {
      const format = view.getUint16(start, true);
      const isMono = view.getUint16(start + 2, true) === 1;
      const is16Bit = view.getUint16(start + 14, true) === 16;
      if ((format !== PCM && format !== EXTENSIBLE) || !isMono || !is16Bit) return undefined;
      sampleRateHz = view.getUint32(start + 4, true);
    }
    if (word(at) === 'data')
      return sampleRateHz ? { sampleRateHz, samples: file.subarray(start, start + size) } : undefined;
    // Chunks begin at even offsets.
    at = start + size + (size % 2);
  }
  return undefined;
}
