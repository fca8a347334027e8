import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import type { PcmFormat } from '../../domain/pcm';
import type { SttProvider, SttRequest } from '../../domain/transcription';
import { socketUrl } from '../kit/http/base-url';
import type { FailureCode, SocketTarget } from '../kit/http/socket';
import { base64Of, transcribeOverSocket } from '../kit/speech/transcribe-over-socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { makeTranscript } from '../kit/speech/transcript';

const message = z.discriminatedUnion('message_type', [
  z.object({ message_type: z.literal('session_started') }),
  z.object({ message_type: z.literal('partial_transcript'), text: z.string() }),
  // Despite its name, this transcript is not committed yet.
  z.object({ message_type: z.literal('final_transcript'), text: z.string() }),
  z.object({
    message_type: z.literal('committed_transcript_with_timestamps'),
    text: z.string(),
    words: z
      .array(z.object({ text: z.string(), start: z.number().nullish(), end: z.number().nullish(), type: z.string() }))
      .nullish(),
  }),
]);

const refusal = z.object({ message_type: z.string(), error: z.unknown() });

/** The provider's errors by name. An error that is not listed concerns a single message, and the session continues. */
const failures: Readonly<Record<string, FailureCode>> = {
  error: 'upstream_invalid_response',
  auth_error: 'upstream_auth_failed',
  quota_exceeded: 'upstream_auth_failed',
  unaccepted_terms: 'upstream_auth_failed',
  rate_limited: 'upstream_invalid_response',
  transcriber_error: 'upstream_invalid_response',
  input_error: 'upstream_invalid_response',
  invalid_request: 'upstream_invalid_response',
  queue_overflow: 'upstream_invalid_response',
  resource_exhausted: 'upstream_invalid_response',
  session_time_limit_exceeded: 'upstream_invalid_response',
  chunk_size_exceeded: 'upstream_invalid_response',
};

export function createScribe(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): SttProvider {
  const prepare = (request: SttRequest) => {
    const format = upstreamFormat(request.format);
    return Promise.resolve({ target: targetOf(deps, request, format), wire: makeWire(format) });
  };
  return transcribeOverSocket(prepare, { clock: deps.clock, provider: 'elevenlabs' });
}

/** µ-law is accepted at 8 kHz only; at other rates audio is sent as PCM. */
function upstreamFormat(format: PcmFormat): PcmFormat {
  return format.encoding === 'pcm_mulaw' && format.sampleRateHz === 8_000
    ? format
    : { ...format, encoding: 'pcm_s16le' };
}

function targetOf(
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  request: SttRequest,
  format: PcmFormat,
): SocketTarget {
  return {
    url: socketUrl(baseUrl, '/v1/speech-to-text/realtime', {
      model_id: request.binding.modelName,
      audio_format: format.encoding === 'pcm_mulaw' ? 'ulaw_8000' : `pcm_${format.sampleRateHz}`,
      // Otherwise nothing becomes final until we commit.
      commit_strategy: 'vad',
      include_timestamps: 'true',
      language_code: request.language,
    }),
    headers: { 'xi-api-key': key },
  };
}

function makeWire(format: PcmFormat): SttWire {
  let isStopped = false;
  const chunk = (base64: string, commit: boolean) =>
    JSON.stringify({
      message_type: 'input_audio_chunk',
      audio_base_64: base64,
      commit,
      sample_rate: format.sampleRateHz,
    });
  return {
    audio: { format },
    frame: (piece) => chunk(base64Of(piece), false),
    stop: () => {
      isStopped = true;
      return [chunk('', true)];
    },
    // Nothing to send: the session is not billed by its duration.
    abort: () => [],
    // Silence at the end commits nothing and yields no message.
    quietMs: 2_500,
    keepAlive: { everyMs: 5_000, make: () => chunk('', false) },
    read(raw): readonly WireEvent[] {
      const refused = refusal.safeParse(raw);
      const code = refused.success ? failures[refused.data.message_type] : undefined;
      if (refused.success && code)
        return [{ kind: 'failed', code, detail: `It reported ${refused.data.message_type}.` }];
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      const { data } = parsed;
      if (data.message_type === 'session_started') return [{ kind: 'ready' }];
      if (data.message_type !== 'committed_transcript_with_timestamps') {
        const transcript = makeTranscript(data.text, false);
        return transcript ? [{ kind: 'transcript', transcript }] : [];
      }
      const spoken = (data.words ?? []).filter(({ type }) => type === 'word');
      const words = spoken.flatMap(({ text, start, end }) =>
        typeof start === 'number' && typeof end === 'number'
          ? [{ word: text, startSeconds: start, endSeconds: end }]
          : [],
      );
      const transcript = makeTranscript(data.text, true, words.length === spoken.length ? words : undefined);
      const said: WireEvent[] = transcript ? [{ kind: 'transcript', transcript }] : [];
      // This may be the commit of an earlier pause, with ours still pending.
      return isStopped ? [...said, { kind: 'ending', withinMs: 500 }] : said;
    },
  };
}
