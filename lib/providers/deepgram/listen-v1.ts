import { z } from 'zod';
import type { SttRequest } from '../../domain/transcription';
import { socketUrl } from '../kit/http/base-url';
import type { SocketTarget } from '../kit/http/socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { makeTranscript } from '../kit/speech/transcript';
import { closeCodes, encodingNames } from './wire';

// The first listening API: results arrive in segments; a final one does not change again.

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Results'),
    is_final: z.boolean(),
    channel: z.object({
      alternatives: z.array(
        z.object({
          transcript: z.string(),
          words: z
            .array(
              z.object({
                word: z.string(),
                start: z.number(),
                end: z.number(),
                punctuated_word: z.string().optional(),
              }),
            )
            .default([]),
        }),
      ),
    }),
  }),
  z.object({ type: z.literal('Metadata'), duration: z.number() }),
]);

export function listenV1Target(baseUrl: string, key: string, request: SttRequest): SocketTarget {
  return {
    url: socketUrl(baseUrl, '/v1/listen', {
      model: request.binding.modelName,
      encoding: encodingNames[request.format.encoding],
      sample_rate: String(request.format.sampleRateHz),
      channels: '1',
      interim_results: 'true',
      punctuate: 'true',
      // A stream has no language detection; this code covers ten languages.
      language: request.language ?? 'multi',
    }),
    headers: { authorization: `Token ${key}` },
  };
}

export function makeListenV1Wire(request: SttRequest): SttWire {
  return {
    readyAfterMs: 0,
    audio: { format: request.format },
    stop: () => ['{"type":"CloseStream"}'],
    // The session ends after ten seconds without a message; the longest gap is twice this interval.
    keepAlive: { everyMs: 2_500, make: () => '{"type":"KeepAlive"}' },
    closes: closeCodes,
    read(raw): readonly WireEvent[] {
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      if (parsed.data.type === 'Metadata')
        return [{ kind: 'usage', audioSeconds: parsed.data.duration }, { kind: 'ended' }];
      const heard = parsed.data.channel.alternatives[0];
      if (!heard) return [];
      const words = heard.words.map(({ word, punctuated_word, start, end }) => ({
        word: punctuated_word ?? word,
        startSeconds: start,
        endSeconds: end,
      }));
      const transcript = makeTranscript(heard.transcript, parsed.data.is_final, words);
      return transcript ? [{ kind: 'transcript', transcript }] : [];
    },
  };
}
