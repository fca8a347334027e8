import type { PcmFormat } from '../domain/pcm';

/** Parses a name such as `pcm_24000` or `pcm_mulaw_8000`; returns undefined for any other name. */
export function parseOutputFormat(word: string): PcmFormat | undefined {
  const [, coding, rate] = /^pcm_(?:(f32le|mulaw|alaw)_)?(\d{4,5})$/.exec(word) ?? [];
  if (rate === undefined) return undefined;
  const sampleRateHz = Number(rate);
  switch (coding) {
    case 'f32le':
      return { encoding: 'pcm_f32le', sampleRateHz };
    case 'mulaw':
      return { encoding: 'pcm_mulaw', sampleRateHz };
    case 'alaw':
      return { encoding: 'pcm_alaw', sampleRateHz };
    default:
      return { encoding: 'pcm_s16le', sampleRateHz };
  }
}
