import { z } from 'zod';
import { pcmBytes } from '../../domain/pcm';
import type { SttRequest } from '../../domain/transcription';
import { socketUrl } from '../kit/http/base-url';
import type { SocketTarget } from '../kit/http/socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { makeTranscript } from '../kit/speech/transcript';
import { closeCodes, encodingNames } from './wire';

// The listening API of the Flux models: turns instead of segments, and no keep-alive message other than audio.

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Connected') }),
  z.object({
    type: z.literal('TurnInfo'),
    event: z.string(),
    transcript: z.string(),
    words: z
      .array(z.object({ word: z.string(), start: z.number().optional(), end: z.number().optional() }))
      .default([]),
  }),
  z.object({ type: z.literal('Error'), code: z.string() }),
]);

export function listenV2Target(baseUrl: string, key: string, request: SttRequest): SocketTarget {
  return {
    url: socketUrl(baseUrl, '/v2/listen', {
      model: request.binding.modelName,
      encoding: encodingNames[request.format.encoding],
      sample_rate: String(request.format.sampleRateHz),
      ...(request.language !== undefined &&
        request.binding.modelName.endsWith('-multi') && { language_hint: request.language }),
    }),
    headers: { authorization: `Token ${key}` },
  };
}

/** The recommended piece length; silence of this length also advances a turn while the client is quiet. */
const PIECE_MS = 80;

export function makeListenV2Wire(request: SttRequest): SttWire {
  const silence = new Uint8Array(pcmBytes(PIECE_MS / 1000, request.format));
  if (request.format.encoding === 'pcm_mulaw') silence.fill(0xff);
  if (request.format.encoding === 'pcm_alaw') silence.fill(0xd5);
  return {
    audio: { format: request.format, chunkMs: PIECE_MS },
    stop: () => ['{"type":"CloseStream"}'],
    // Without audio a turn never ends; the client notices half a second of delay.
    keepAlive: { everyMs: 250, make: () => silence },
    closes: closeCodes,
    read(raw): readonly WireEvent[] {
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      const { data } = parsed;
      if (data.type === 'Connected') return [{ kind: 'ready' }];
      if (data.type === 'Error')
        return [
          {
            kind: 'failed',
            code: 'upstream_invalid_response',
            detail: `It reported ${data.code.replace(/[^\w-]/g, '')}.`,
          },
        ];
      const words = data.words.flatMap(({ word, start, end }) =>
        start === undefined || end === undefined ? [] : [{ word, startSeconds: start, endSeconds: end }],
      );
      // If one word has no time, all times are dropped, because a reader would match them by position.
      const transcript = makeTranscript(
        data.transcript,
        data.event === 'EndOfTurn',
        words.length === data.words.length ? words : undefined,
      );
      return transcript ? [{ kind: 'transcript', transcript }] : [];
    },
  };
}
