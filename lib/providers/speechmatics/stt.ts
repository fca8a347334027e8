import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import type { PcmEncoding, PcmFormat } from '../../domain/pcm';
import type { SttProvider, SttRequest, Word } from '../../domain/transcription';
import { socketUrl } from '../kit/http/base-url';
import type { FailureCode } from '../kit/http/socket';
import { transcribeOverSocket } from '../kit/speech/transcribe-over-socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { makeTranscript } from '../kit/speech/transcript';

const result = z.object({
  type: z.string(),
  start_time: z.number(),
  end_time: z.number(),
  attaches_to: z.string().optional(),
  alternatives: z.array(z.object({ content: z.string() })).default([]),
});
const heard = { metadata: z.object({ transcript: z.string() }), results: z.array(result).default([]) };
const message = z.discriminatedUnion('message', [
  z.object({ message: z.literal('RecognitionStarted') }),
  z.object({ message: z.literal('AddPartialTranscript'), ...heard }),
  z.object({ message: z.literal('AddTranscript'), ...heard }),
  z.object({ message: z.literal('EndOfTranscript') }),
  z.object({ message: z.literal('Error'), type: z.string() }),
]);

const encodingNames: Readonly<Partial<Record<PcmEncoding, string>>> = {
  pcm_s16le: 'pcm_s16le',
  pcm_f32le: 'pcm_f32le',
  pcm_mulaw: 'mulaw',
};
/** Maximum seconds until a word is final; the upstream's default of four feels slow. */
const MAX_DELAY_SECONDS = 1;
const closes: Readonly<Record<number, FailureCode>> = { 4001: 'upstream_auth_failed', 4003: 'upstream_auth_failed' };

export function createSpeechmaticsStt(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): SttProvider {
  const { baseUrl, key, clock } = deps;
  const target = { url: socketUrl(baseUrl, '/v2/'), headers: { authorization: `Bearer ${key}` } };
  return transcribeOverSocket((request) => Promise.resolve({ target, wire: makeWire(request) }), {
    clock,
    provider: 'speechmatics',
  });
}

function makeWire({ binding, format: given, language = 'en' }: SttRequest): SttWire {
  const format: PcmFormat = { ...given, encoding: encodingNames[given.encoding] ? given.encoding : 'pcm_s16le' };
  // Counted exactly: with a wrong count the upstream would wait for audio that never arrives.
  let pieces = 0;
  const start = {
    message: 'StartRecognition',
    audio_format: { type: 'raw', encoding: encodingNames[format.encoding], sample_rate: format.sampleRateHz },
    transcription_config: {
      // The only language code of the upstream that is not ISO 639-1.
      language: language === 'zh' ? 'cmn' : language,
      model: binding.modelName,
      enable_partials: true,
      max_delay: MAX_DELAY_SECONDS,
      max_delay_mode: 'flexible',
    },
  };
  return {
    opening: [JSON.stringify(start)],
    audio: { format },
    frame: (piece) => {
      pieces += 1;
      return piece;
    },
    stop: () => [JSON.stringify({ message: 'EndOfStream', last_seq_no: pieces })],
    closes,
    read(raw): readonly WireEvent[] {
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      const { data } = parsed;
      switch (data.message) {
        case 'RecognitionStarted':
          return [{ kind: 'ready' }];
        case 'AddPartialTranscript':
        case 'AddTranscript': {
          const transcript = makeTranscript(
            data.metadata.transcript,
            data.message === 'AddTranscript',
            wordsOf(data.results),
          );
          return transcript ? [{ kind: 'transcript', transcript }] : [];
        }
        case 'EndOfTranscript':
          return [{ kind: 'ended' }];
        case 'Error':
          return [
            {
              kind: 'failed',
              code:
                data.type === 'not_authorised' || data.type === 'not_allowed'
                  ? 'upstream_auth_failed'
                  : 'upstream_invalid_response',
              detail: `It reported ${data.type.replace(/\W/g, '')}.`,
            },
          ];
      }
    },
  };
}

/** Returns the words of results. A punctuation mark is a separate result and is joined to the preceding word. */
function wordsOf(results: readonly z.infer<typeof result>[]): Word[] {
  const words: Word[] = [];
  for (const { type, start_time, end_time, attaches_to, alternatives } of results) {
    const content = alternatives[0]?.content ?? '';
    const last = words.at(-1);
    if (type === 'punctuation' && last && attaches_to !== 'next')
      words[words.length - 1] = { ...last, word: last.word + content };
    else if (type !== 'punctuation') words.push({ word: content, startSeconds: start_time, endSeconds: end_time });
  }
  return words;
}
