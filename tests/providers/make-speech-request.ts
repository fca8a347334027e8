import type { SpeechRequest, TtsBinding } from '../../lib/domain/speech';

/** Creates a request as the session does, with its own context. */
export function makeSpeechRequest(
  providerId: string,
  modelName: string,
  change: Partial<Omit<SpeechRequest, 'binding'>> = {},
): SpeechRequest {
  const binding: TtsBinding = {
    providerId,
    modelName,
    stability: 'stable',
    price: { perCharacter: 1n, source: 'a test', verified: true },
  };
  return {
    binding,
    contextId: crypto.randomUUID(),
    input: 'One two three four five',
    voice: 'Katie',
    format: { encoding: 'pcm_s16le', sampleRateHz: 24_000 },
    ...change,
  };
}
