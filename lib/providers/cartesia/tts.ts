import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import { GatewayError } from '../../domain/errors';
import type { SpeechRequest, TtsProvider } from '../../domain/speech';
import { socketUrl } from '../kit/http/base-url';
import { failureOfStatus } from '../kit/http/socket';
import { speakOverSocket } from '../kit/speech/speak-over-socket';
import type { SpeechWire, SpeechWireEvent } from '../kit/speech/speak-over-socket';
import { unknownVoice } from '../kit/speech/voice-names';
import type { Upstream } from './upstream';
import { headersOf } from './upstream';
import { createCartesiaVoices, exampleVoice } from './voices';

/** Audio arrives ten times a second and is large, so it is validated by hand. */
interface Chunk {
  readonly type: 'chunk';
  readonly context_id: string;
  readonly data: string;
}

function isChunk(raw: unknown): raw is Chunk {
  if (typeof raw !== 'object' || raw === null || !('type' in raw) || raw.type !== 'chunk') return false;
  return 'context_id' in raw && typeof raw.context_id === 'string' && 'data' in raw && typeof raw.data === 'string';
}

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('done'), context_id: z.string() }),
  z.object({
    type: z.literal('error'),
    context_id: z.string().nullish(),
    status_code: z.number(),
    title: z.string().optional(),
    message: z.string().optional(),
    error_code: z.string().optional(),
    // Older versions of the API use this field.
    error: z.string().optional(),
  }),
]);

export function createCartesiaTts(upstream: Upstream, deps: { readonly clock: Clock }): TtsProvider {
  const target = { url: socketUrl(upstream.baseUrl, '/tts/websocket'), headers: headersOf(upstream) };
  return speakOverSocket(
    {
      provider: 'cartesia',
      findVoice: createCartesiaVoices(upstream, deps),
      target: () => target,
      firstTarget: target,
      makeWire,
    },
    deps,
  );
}

function makeWire(): SpeechWire {
  return {
    begin: (request, voice) => [JSON.stringify(generation(request, voice))],
    // Cancels what has not started. A running generation continues to its end, and its frames are dropped here.
    cancel: (contextId) => [JSON.stringify({ context_id: contextId, cancel: true })],
    read,
  };
}

function generation(request: SpeechRequest, voice: string) {
  return {
    model_id: request.binding.modelName,
    transcript: request.input,
    voice: { mode: 'id', id: voice },
    ...(request.language !== undefined && { language: request.language }),
    context_id: request.contextId,
    output_format: { container: 'raw', encoding: request.format.encoding, sample_rate: request.format.sampleRateHz },
    // The text is complete, so the upstream must not wait for more.
    continue: false,
    ...(request.speed !== undefined && { generation_config: { speed: request.speed } }),
  };
}

function read(raw: unknown): readonly SpeechWireEvent[] {
  if (isChunk(raw)) return [{ kind: 'audio', contextId: raw.context_id, base64: raw.data }];
  const parsed = message.safeParse(raw);
  if (!parsed.success) return [];
  const { data } = parsed;
  switch (data.type) {
    case 'done':
      return [{ kind: 'done', contextId: data.context_id }];
    case 'error': {
      const text = [data.title, data.message, data.error_code, data.error].join(' ').toLowerCase();
      const error = errorOf(data.status_code, text);
      return [{ kind: 'failed', ...(data.context_id && { contextId: data.context_id }), error }];
    }
  }
}

/** Errors that only the provider can detect are the client's to fix; all others concern the provider and us. */
function errorOf(status: number, text: string) {
  if (status === 400 || status === 404 || status === 422) {
    if (text.includes('voice')) return unknownVoice(exampleVoice);
    if (text.includes('language')) {
      return new GatewayError(
        'unsupported_value',
        'language is not one that this voice can speak. Use another language or another voice.',
        { param: 'language' },
      );
    }
  }
  return { code: failureOfStatus(status), detail: `It reported ${status}.` };
}
