import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import type { SttProvider, SttRequest, Word } from '../../domain/transcription';
import { socketUrl } from '../kit/http/base-url';
import type { FailureCode, SocketTarget } from '../kit/http/socket';
import { transcribeOverSocket } from '../kit/speech/transcribe-over-socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { makeTranscript } from '../kit/speech/transcript';

const turnShape = z.object({
  type: z.literal('Turn'),
  turn_order: z.number(),
  turn_is_formatted: z.boolean(),
  end_of_turn: z.boolean(),
  transcript: z.string(),
  words: z.array(z.object({ text: z.string(), start: z.number(), end: z.number() })).default([]),
});
type Turn = z.infer<typeof turnShape>;

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Begin') }),
  turnShape,
  z.object({ type: z.literal('Termination'), audio_duration_seconds: z.number() }),
  z.object({ type: z.literal('Error'), error_code: z.number() }),
]);

/** The provider's error numbers, which are also its close codes: key or balance, in the current and older numbers. */
const closes: Readonly<Record<number, FailureCode>> = {
  1008: 'upstream_auth_failed',
  4001: 'upstream_auth_failed',
  4002: 'upstream_auth_failed',
};

/**
 * A piece shorter than 50 ms or longer than a second ends the session, and so does audio that arrives much faster than
 * real time.
 */
const PIECE_MS = 50;
const PACE = 2;

export function createAssemblyAiStt(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): SttProvider {
  const prepare = (request: SttRequest) =>
    Promise.resolve({ target: targetOf(deps, request), wire: makeWire(request) });
  return transcribeOverSocket(prepare, { clock: deps.clock, provider: 'assemblyai' });
}

function targetOf(
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  { binding, format }: SttRequest,
): SocketTarget {
  return {
    url: socketUrl(baseUrl, '/v3/ws', {
      sample_rate: String(format.sampleRateHz),
      encoding: format.encoding,
      speech_model: binding.modelName,
      format_turns: 'true',
    }),
    // The bare key, without a scheme. It is checked after the upgrade, so an invalid key shows as a close.
    headers: { authorization: key },
  };
}

function makeWire(request: SttRequest): SttWire {
  let finished = -1;
  /** A turn that has ended; the provider may send it again with punctuation. */
  let unformatted: Turn | undefined;

  function finish(turn: Turn): readonly WireEvent[] {
    unformatted = undefined;
    if (turn.turn_order <= finished) return [];
    finished = turn.turn_order;
    return say(turn.transcript, true, turn);
  }

  function readTurn(turn: Turn): readonly WireEvent[] {
    const earlier = unformatted && turn.turn_order > unformatted.turn_order ? finish(unformatted) : [];
    if (turn.turn_order <= finished) return earlier;
    if (turn.end_of_turn && turn.turn_is_formatted) return [...earlier, ...finish(turn)];
    if (turn.end_of_turn) unformatted = turn;
    // `transcript` contains only the final words; the last ones, which may change, are in `words`.
    return [
      ...earlier,
      ...say(turn.words.length > 0 ? turn.words.map(({ text }) => text).join(' ') : turn.transcript, false, turn),
    ];
  }

  return {
    audio: { format: request.format, chunkMs: PIECE_MS, padLastToMs: PIECE_MS, pace: PACE },
    // A session is billed until it is terminated, or for three hours if it is only dropped. Without `abort`, an early
    // close sends this too.
    stop: () => ['{"type":"Terminate"}'],
    closes,
    read(raw) {
      const parsed = message.safeParse(raw);
      if (!parsed.success) return [];
      const { data } = parsed;
      switch (data.type) {
        case 'Begin':
          return [{ kind: 'ready' }];
        case 'Turn':
          return readTurn(data);
        case 'Termination':
          return [
            ...(unformatted ? finish(unformatted) : []),
            { kind: 'usage', audioSeconds: data.audio_duration_seconds },
            { kind: 'ended' },
          ];
        case 'Error':
          return [
            {
              kind: 'failed',
              code: closes[data.error_code] ?? 'upstream_invalid_response',
              detail: `It reported ${data.error_code}.`,
            },
          ];
      }
    },
  };
}

function say(text: string, isFinal: boolean, turn: Turn): readonly WireEvent[] {
  const words: Word[] = turn.words.map(({ text: word, start, end }) => ({
    word,
    startSeconds: start / 1000,
    endSeconds: end / 1000,
  }));
  const transcript = makeTranscript(text, isFinal, words);
  return transcript ? [{ kind: 'transcript', transcript }] : [];
}
