import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import { upstreamFailed } from '../../domain/errors';
import type { PcmEncoding } from '../../domain/pcm';
import type { Call } from '../../domain/call';
import type { SttProvider, SttRequest } from '../../domain/transcription';
import { requestJson } from '../kit/http/json-request';
import { transcribeOverSocket } from '../kit/speech/transcribe-over-socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { makeTranscript } from '../kit/speech/transcript';
import { parseUrl } from '../../domain/url';

// A session is created over HTTP, with the key; the response contains the socket's URL with its own token.

const opened = z.object({ url: z.string() });
const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('transcript'),
    data: z.object({
      is_final: z.boolean(),
      utterance: z.object({
        text: z.string(),
        words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).default([]),
      }),
    }),
  }),
  z.object({ type: z.literal('end_recording'), data: z.object({ recording_duration: z.number() }) }),
]);

const encodings: Readonly<Partial<Record<PcmEncoding, readonly [name: string, bits: number]>>> = {
  pcm_s16le: ['wav/pcm', 16],
  pcm_mulaw: ['wav/ulaw', 8],
  pcm_alaw: ['wav/alaw', 8],
};

export function createGladiaStt(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): SttProvider {
  const prepare = async (request: SttRequest, call: Call) => ({
    target: { url: await openSession(deps, request, call) },
    wire: makeWire(request),
  });
  return transcribeOverSocket(prepare, { clock: deps.clock, provider: 'gladia' });
}

async function openSession(
  { baseUrl, key, clock }: { readonly baseUrl: string; readonly key: string; readonly clock: Clock },
  request: SttRequest,
  call: Call,
): Promise<string> {
  const [encoding, bits] = encodings[request.format.encoding] ?? ['wav/pcm', 16];
  const answer = opened.safeParse(
    await requestJson(
      {
        method: 'POST',
        url: `${baseUrl}/v2/live`,
        headers: { 'x-gladia-key': key },
        body: {
          encoding,
          bit_depth: bits,
          sample_rate: request.format.sampleRateHz,
          channels: 1,
          model: request.binding.modelName,
          language_config: {
            languages: request.language === undefined ? [] : [request.language],
            code_switching: false,
          },
          messages_config: {
            receive_partial_transcripts: true,
            receive_final_transcripts: true,
            receive_acknowledgments: false,
            receive_lifecycle_events: true,
            receive_speech_events: false,
          },
        },
        signal: call.signal,
      },
      { clock },
    ),
  );
  if (!answer.success || !isOfHouse(answer.data.url, baseUrl))
    throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'gladia: The session has no usable URL.');
  return answer.data.url;
}

/** Returns whether a URL from a response may be used: it is in the configured domain and not less encrypted. */
function isOfHouse(text: string, baseUrl: string): boolean {
  if (!parseUrl(text)) return false;
  const url = new URL(text);
  const base = new URL(baseUrl);
  if (url.protocol !== 'wss:' && !(url.protocol === 'ws:' && base.protocol === 'http:')) return false;
  const domain = base.hostname.split('.').slice(-2).join('.');
  return url.host === base.host || (/[a-z]$/.test(domain) && url.hostname.endsWith(`.${domain}`));
}

function makeWire(request: SttRequest): SttWire {
  return {
    readyAfterMs: 0,
    audio: {
      format: {
        ...request.format,
        encoding: encodings[request.format.encoding] ? request.format.encoding : 'pcm_s16le',
      },
    },
    stop: () => ['{"type":"stop_recording"}'],
    read(raw): readonly WireEvent[] {
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      const { data } = parsed;
      // After the recording only a summary follows, or a final result that was still in progress.
      if (data.type === 'end_recording')
        return [
          { kind: 'usage', audioSeconds: data.data.recording_duration },
          { kind: 'ending', withinMs: 500 },
        ];
      const { text, words } = data.data.utterance;
      const transcript = makeTranscript(
        text,
        data.data.is_final,
        words.map(({ word, start, end }) => ({ word, startSeconds: start, endSeconds: end })),
      );
      return transcript ? [{ kind: 'transcript', transcript }] : [];
    },
    closes: { 4401: 'upstream_auth_failed', 4403: 'upstream_auth_failed' },
  };
}
