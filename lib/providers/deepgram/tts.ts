import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import type { SpeechRequest, TtsProvider } from '../../domain/speech';
import { socketUrl } from '../kit/http/base-url';
import { speakOverSocket } from '../kit/speech/speak-over-socket';
import type { SpeechWire, SpeechWireEvent } from '../kit/speech/speak-over-socket';
import { unknownVoice } from '../kit/speech/voice-names';
import { closeCodes, encodingNames } from './wire';

// Aura: voice and format belong to the socket, audio arrives as raw bytes, and no message names its context.

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Flushed') }),
  z.object({ type: z.literal('Cleared') }),
  z.object({ type: z.literal('Error'), code: z.string().optional() }),
]);

export function createAura(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): TtsProvider {
  const { baseUrl, key } = deps;
  return speakOverSocket(
    {
      provider: 'deepgram',
      findVoice,
      target: ({ format }, voice) => ({
        url: socketUrl(baseUrl, '/v1/speak', {
          model: voice,
          encoding: encodingNames[format.encoding],
          sample_rate: String(format.sampleRateHz),
          container: 'none',
        }),
        headers: { authorization: `Token ${key}` },
      }),
      makeWire,
      farewell: '{"type":"Close"}',
      closes: closeCodes,
    },
    deps,
  );
}

/**
 * `thalia`, or the full name of the upstream's model, `aura-2-thalia-en`. English unless the voice is known to speak
 * another language.
 */
function findVoice({ voice, binding }: SpeechRequest): string {
  const name = voice.trim().toLowerCase();
  if (/^aura-2-[a-z]+-[a-z]{2}$/.test(name)) return name;
  const language = languages[name];
  if (language === undefined) throw unknownVoice('thalia');
  return `${binding.modelName}-${name}-${language}`;
}

const languages: Readonly<Record<string, string>> = {
  thalia: 'en',
  andromeda: 'en',
  helena: 'en',
  apollo: 'en',
  arcas: 'en',
  aries: 'en',
  asteria: 'en',
  athena: 'en',
  atlas: 'en',
  hera: 'en',
  hermes: 'en',
  luna: 'en',
  orion: 'en',
  orpheus: 'en',
  zeus: 'en',
  celeste: 'es',
  estrella: 'es',
  nestor: 'es',
};

function makeWire(): SpeechWire {
  let current: string | undefined;
  /** Pending acknowledgements of `Clear`; until they arrive all audio belongs to cancelled text. */
  let clearing = 0;
  return {
    begin(request) {
      current = request.contextId;
      return [JSON.stringify({ type: 'Speak', text: request.input }), '{"type":"Flush"}'];
    },
    cancel(contextId) {
      if (current !== contextId) return [];
      current = undefined;
      clearing += 1;
      return ['{"type":"Clear"}'];
    },
    read(raw): readonly SpeechWireEvent[] {
      if (Buffer.isBuffer(raw))
        return clearing === 0 && current !== undefined
          ? [{ kind: 'audio', contextId: current, base64: raw.toString('base64') }]
          : [];
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      const { data } = parsed;
      if (data.type === 'Error')
        return [
          {
            kind: 'failed',
            error: {
              code: 'upstream_invalid_response',
              detail: `It reported ${(data.code ?? 'an error').replace(/[^\w-]/g, '')}.`,
            },
          },
        ];
      if (data.type === 'Cleared') clearing = Math.max(0, clearing - 1);
      else if (clearing === 0 && current !== undefined) {
        const contextId = current;
        current = undefined;
        return [{ kind: 'done', contextId }];
      }
      return [];
    },
  };
}
