import type { SttEvent, SttProvider, SttRequest } from '../../../lib/domain/transcription';
import { createEventQueue } from '../../../lib/providers/kit/event-queue';

/** One session at an upstream that does what the test says. */
export interface ScriptedUpstream {
  readonly request: SttRequest;
  readonly signal: AbortSignal;
  /** Bytes that it was given so far. */
  readonly bytes: number;
  readonly audioEnded: boolean;
  readonly isClosed: boolean;
  ready(): void;
  interim(text: string): void;
  final(text: string): void;
  usage(audioSeconds: number): void;
  end(): void;
  fail(error: unknown): void;
}

export interface ScriptedStt extends SttProvider {
  readonly upstreams: readonly ScriptedUpstream[];
  /** What a new upstream does at once. */
  onOpen: (upstream: ScriptedUpstream) => void;
  /** Takes no sound although it is ready. */
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
          if (!provider.takesNothing) void pull();
        },
        interim: (text: string) => events.push({ kind: 'transcript', transcript: { text, isFinal: false } }),
        final: (text: string) => events.push({ kind: 'transcript', transcript: { text, isFinal: true, words: [{ word: text, startSeconds: 0.12345, endSeconds: 0.5 }] } }),
        usage: (audioSeconds: number) => events.push({ kind: 'usage', audioSeconds }),
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
