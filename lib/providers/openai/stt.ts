import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import type { PcmFormat } from '../../domain/pcm';
import type { SttProvider, SttRequest } from '../../domain/transcription';
import { socketUrl } from '../kit/http/base-url';
import { base64Of, transcribeOverSocket } from '../kit/speech/transcribe-over-socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { createItems } from './items';

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.updated') }),
  z.object({
    type: z.literal('input_audio_buffer.committed'),
    item_id: z.string(),
    previous_item_id: z.string().nullish(),
  }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.delta'),
    item_id: z.string(),
    delta: z.string(),
  }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    item_id: z.string(),
    transcript: z.string(),
  }),
  z.object({ type: z.literal('conversation.item.input_audio_transcription.failed'), item_id: z.string() }),
  z.object({
    type: z.literal('error'),
    error: z.object({ code: z.string().nullish(), event_id: z.string().nullish() }),
  }),
]);

/** The only PCM rate that the upstream accepts. */
const upstreamFormat: PcmFormat = { encoding: 'pcm_s16le', sampleRateHz: 24_000 };
const STOP = 'stop';

export function createOpenAiStt(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): SttProvider {
  const { baseUrl, key, clock } = deps;
  const target = {
    url: socketUrl(baseUrl, '/v1/realtime', { intent: 'transcription' }),
    headers: { authorization: `Bearer ${key}` },
  };
  return transcribeOverSocket((request) => Promise.resolve({ target, wire: makeWire(request) }), {
    clock,
    provider: 'openai',
  });
}

export function makeWire({ binding, language }: SttRequest): SttWire {
  const items = createItems();
  let isReady = false;
  let isStopped = false;
  /** Whether the last commit was rejected because no audio was left: only the open items will follow. */
  let isTailEmpty = false;
  const session = {
    type: 'transcription',
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: upstreamFormat.sampleRateHz },
        transcription: { model: binding.modelName, ...(language !== undefined && { language }) },
        turn_detection: { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 },
      },
    },
  };

  function endIfDone(): readonly WireEvent[] {
    if (!isStopped || items.isAnyOpen()) return [];
    // A pause may have been committed at the same moment, with our own commit still pending.
    return [isTailEmpty ? { kind: 'ended' } : { kind: 'ending', withinMs: 700 }];
  }

  function readError(code: string, eventId: string | null | undefined): readonly WireEvent[] {
    if (eventId === STOP) {
      isTailEmpty = true;
      return endIfDone();
    }
    // Most errors concern one message, and the session continues.
    if (isReady && code !== 'session_expired') return [];
    return [
      {
        kind: 'failed',
        code: code === 'invalid_api_key' ? 'upstream_auth_failed' : 'upstream_invalid_response',
        detail: `It reported ${code.replace(/\W/g, '')}.`,
      },
    ];
  }

  return {
    opening: [JSON.stringify({ type: 'session.update', session })],
    audio: { format: upstreamFormat },
    frame: (piece) => `{"type":"input_audio_buffer.append","audio":"${base64Of(piece)}"}`,
    stop: () => {
      isStopped = true;
      return [JSON.stringify({ type: 'input_audio_buffer.commit', event_id: STOP })];
    },
    // Nothing to send: the session is not billed by its duration.
    abort: () => [],
    read(raw): readonly WireEvent[] {
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      const { data } = parsed;
      switch (data.type) {
        case 'session.updated':
          isReady = true;
          return [{ kind: 'ready' }];
        case 'input_audio_buffer.committed':
          items.open(data.item_id, data.previous_item_id ?? undefined);
          return [];
        case 'conversation.item.input_audio_transcription.delta':
          return transcripts(items.add(data.item_id, data.delta));
        case 'conversation.item.input_audio_transcription.completed':
          return [...transcripts(items.finish(data.item_id, data.transcript)), ...endIfDone()];
        case 'conversation.item.input_audio_transcription.failed':
          return [...transcripts(items.finish(data.item_id, '')), ...endIfDone()];
        case 'error':
          return readError(data.error.code ?? 'an error', data.error.event_id);
      }
    },
  };
}

const transcripts = (said: ReturnType<ReturnType<typeof createItems>['add']>): WireEvent[] =>
  said.map((transcript) => ({ kind: 'transcript', transcript }));
