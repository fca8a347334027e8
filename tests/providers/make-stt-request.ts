import type { SttBinding, SttRequest } from '../../lib/domain/transcription';

/** Creates a request as the session does, for a model with that upstream name. */
export function makeSttRequest(
  providerId: string,
  modelName: string,
  change: Partial<Omit<SttRequest, 'binding'>> = {},
): SttRequest {
  const binding: SttBinding = {
    providerId,
    modelName,
    stability: 'stable',
    price: { perMinute: 1n, meter: 'audio', source: 'a test', verified: true },
  };
  return { binding, format: { encoding: 'pcm_s16le', sampleRateHz: 16_000 }, language: 'en', ...change };
}
