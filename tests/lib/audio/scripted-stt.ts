import type { SttEvent, SttProvider, SttRequest, Word } from '../../../lib/domain/transcription';
import { createEventQueue } from '../../../lib/providers/kit/messages/event-queue';

/** One session at an upstream that the test scripts. */
export interface ScriptedUpstream {
  readonly request: SttRequest;
  readonly signal: AbortSignal;
  /** Bytes received so far. */
  readonly bytes: number;
  readonly audioEnded: boolean;
  readonly isClosed: boolean;
  ready(): void;
  /** With the position of the whole text in this upstream's audio, in seconds. */
  interim(text: string, place?: Place): void;
  /** Without times if the position is null. */
  final(text: string, place?: Place | null): void;
  usage(audioSeconds: number): void;
  working(): void;
  end(): void;
  fail(error: unknown): void;
}

type Place = readonly [startSeconds: number, endSeconds: number];
const wordsAt = (text: string, [startSeconds, endSeconds]: Place): Word[] => [{ word: text, startSeconds, endSeconds }];

export interface ScriptedStt extends SttProvider {
  readonly upstreams: readonly ScriptedUpstream[];
  /** What a new upstream does immediately. */
  onOpen: (upstream: ScriptedUpstream) => void;
  /** Accepts no audio although it is ready. */
  takesNothing: boolean;
}

export function createScriptedStt(): ScriptedStt {
  const upstreams: ScriptedUpstream[] = [];
  const provider: ScriptedStt = {
    upstreams,
    onOpen: (upstream) => upstream.ready(),
    takesNothing: false,
    async *transcribe(audio, request, { signal }) {
      const events = createEventQueue<SttEvent>();
      const state = { bytes: 0, audioEnded: false, isClosed: false };
      const upstream: ScriptedUpstream = Object.assign(state, {
        request,
        signal,
        ready() {
          events.push({ kind: 'ready' });
          if (!provider.takesNothing) pull().catch(upstream.fail);
        },
        interim: (text: string, place?: Place) =>
          events.push({
            kind: 'transcript',
            transcript: { text, isFinal: false, ...(place && { words: wordsAt(text, place) }) },
          }),
        final: (text: string, place: Place | null = [0.12345, 0.5]) =>
          events.push({
            kind: 'transcript',
            transcript: { text, isFinal: true, ...(place && { words: wordsAt(text, place) }) },
          }),
        usage: (audioSeconds: number) => events.push({ kind: 'usage', audioSeconds }),
        working: () => events.push({ kind: 'working' }),
        end: () => events.finish(),
        fail: (error: unknown) => events.fail(error),
      });
      async function pull() {
        for await (const piece of audio) state.bytes += piece.byteLength;
        state.audioEnded = true;
      }
      signal.addEventListener('abort', () => events.finish(), { once: true });
      upstreams.push(upstream);
      provider.onOpen(upstream);
      try {
        yield* events;
      } finally {
        state.isClosed = true;
      }
    },
  };
  return provider;
}
