// Raw audio: the format of a stream of bytes, and its duration.

export const pcmEncodings = ['pcm_s16le', 'pcm_f32le', 'pcm_mulaw', 'pcm_alaw'] as const;
export type PcmEncoding = (typeof pcmEncodings)[number];

/** Mono audio without a container. */
export interface PcmFormat {
  readonly encoding: PcmEncoding;
  readonly sampleRateHz: number;
}

export function isSameFormat(one: PcmFormat, other: PcmFormat): boolean {
  return one.encoding === other.encoding && one.sampleRateHz === other.sampleRateHz;
}

const bytesPerSample: Readonly<Record<PcmEncoding, number>> = { pcm_s16le: 2, pcm_f32le: 4, pcm_mulaw: 1, pcm_alaw: 1 };

/** Returns the bytes of one sample. A buffer of whole samples has a multiple of this length. */
export function sampleBytes(format: PcmFormat): number {
  return bytesPerSample[format.encoding];
}

/** Returns the duration of that many bytes in seconds. */
export function pcmSeconds(bytes: number, format: PcmFormat): number {
  return bytes / (bytesPerSample[format.encoding] * format.sampleRateHz);
}

/** Returns the bytes of a duration in seconds, rounded down to whole samples. */
export function pcmBytes(seconds: number, format: PcmFormat): number {
  // The epsilon keeps 0.05 s × 16,000 at 800 samples, where floating point may give 799.9999….
  return Math.floor(seconds * format.sampleRateHz + 1e-6) * bytesPerSample[format.encoding];
}
