import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import type { PcmFormat } from '../../domain/pcm';
import type { SpeechRequest, TtsProvider } from '../../domain/speech';
import { socketUrl } from '../kit/http/base-url';
import { requestJson } from '../kit/http/json-request';
import { speakOverSocket } from '../kit/speech/speak-over-socket';
import type { SpeechWire, SpeechWireEvent } from '../kit/speech/speak-over-socket';
import { createVoiceFinder, unknownVoice } from '../kit/speech/voice-names';

// The multi-context socket: voice, model and format belong to the socket, texts are distinguished by their contexts.

// The upstream spells field names in one of two ways (seen 2026-05: https://github.com/livekit/agents/pull/5813).
const message = z
  .object({
    contextId: z.string().optional(),
    context_id: z.string().optional(),
    audio: z.string().nullish(),
    isFinal: z.boolean().nullish(),
    is_final: z.boolean().nullish(),
  })
  .transform(({ contextId, context_id, audio, isFinal, is_final }) => ({
    contextId: contextId ?? context_id,
    audio,
    isFinal: isFinal === true || is_final === true,
  }));
const refusal = z.object({ error: z.string() });
const page = z.object({ voices: z.array(z.object({ voice_id: z.string(), name: z.string() })) });

const EXAMPLE_VOICE = 'Rachel';
/** A socket holds five contexts; one stays free for a cancelled text that is still running. */
const MAX_CONTEXTS = 4;

export function createElevenLabsTts(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): TtsProvider {
  const { baseUrl, key } = deps;
  const headers = { 'xi-api-key': key };
  return speakOverSocket(
    {
      provider: 'elevenlabs',
      findVoice: createVoiceFinder(
        {
          idForm: /^[A-Za-z0-9]{20}$/,
          known: { rachel: '21m00Tcm4TlvDq8ikWAM', sarah: 'EXAVITQu4vr4xnSDxMaL', george: 'JBFqnCBsd6RMkjVDRZzb' },
          example: EXAMPLE_VOICE,
          async lookUp(name, call) {
            const url = new URL(`${baseUrl}/v2/voices`);
            url.searchParams.set('search', name);
            url.searchParams.set('page_size', '100');
            const answer = page.safeParse(
              await requestJson({ method: 'GET', url: url.href, headers, signal: call.signal }, deps),
            );
            return answer.success
              ? answer.data.voices.map(({ voice_id, name: spelled }) => ({ id: voice_id, name: spelled }))
              : [];
          },
        },
        deps,
      ),
      target: (request, voice) => ({ url: urlOf(baseUrl, request, voice), headers }),
      makeWire,
      farewell: '{"close_socket":true}',
      closes: { 1008: 'upstream_auth_failed' },
    },
    deps,
  );
}

function urlOf(baseUrl: string, { binding, format, language }: SpeechRequest, voice: string): string {
  return socketUrl(baseUrl, `/v1/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input`, {
    model_id: binding.modelName,
    output_format: formatName(format),
    // The maximum, in seconds. If the socket was closed meanwhile, a new one is opened.
    inactivity_timeout: '180',
    language_code: language,
  });
}

function formatName({ encoding, sampleRateHz }: PcmFormat): string {
  if (encoding === 'pcm_mulaw') return `ulaw_${sampleRateHz}`;
  return encoding === 'pcm_alaw' ? `alaw_${sampleRateHz}` : `pcm_${sampleRateHz}`;
}

function makeWire(): SpeechWire {
  const speaking = new Set<string>();
  return {
    begin({ contextId, input, speed }) {
      speaking.add(contextId);
      return [
        JSON.stringify({ text: ' ', context_id: contextId, ...(speed !== undefined && { voice_settings: { speed } }) }),
        // The blank ends the last word.
        JSON.stringify({ text: `${input} `, context_id: contextId, flush: true }),
        // Without it the upstream waits twenty seconds for more text, and never reports the end.
        JSON.stringify({ context_id: contextId, close_context: true }),
      ];
    },
    // The upstream's interruption is `close_context`, which `begin` has already sent: a closed context runs to its end.
    // Its frames are dropped here, and `isFull` counts it.
    cancel: () => [],
    isFull: () => speaking.size >= MAX_CONTEXTS,
    read(raw): readonly SpeechWireEvent[] {
      const refused = refusal.safeParse(raw);
      if (refused.success) return [{ kind: 'failed', error: errorOf(refused.data.error) }];
      const parsed = message.safeParse(raw);
      if (!parsed.success || parsed.data.contextId === undefined) return [];
      const { contextId, audio, isFinal } = parsed.data;
      const said: SpeechWireEvent[] = audio ? [{ kind: 'audio', contextId, base64: audio }] : [];
      if (!isFinal) return said;
      speaking.delete(contextId);
      return [...said, { kind: 'done', contextId }];
    },
  };
}

function errorOf(name: string) {
  if (name.includes('voice')) return unknownVoice(EXAMPLE_VOICE);
  const isOurs = /api_key|quota|unauthorized|auth|payment/.test(name);
  return {
    code: isOurs ? ('upstream_auth_failed' as const) : ('upstream_invalid_response' as const),
    detail: `It reported ${name.replace(/\W/g, '').slice(0, 40)}.`,
  };
}
