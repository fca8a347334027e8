import type { Clock } from '../domain/clock';
import { isGatewayError, upstreamFailed } from '../domain/errors';
import type { SpeechChunk } from '../domain/speech';
import { linkSignals } from '../io/linked-signal';
import { watchSilence } from '../io/silence-timer';

// The audio of one text, spoken by one provider. Until its first piece has arrived, another provider can still speak the text
// instead; afterwards a failure is final.

/** Maximum silence of a provider: from the request to the first audio, and between two pieces. */
export const SILENT_MS = 5_000;

/** Audio whose first piece has arrived. Can be iterated once. */
export interface SpokenAudio extends AsyncIterable<SpeechChunk> {
  /** Ends the upstream generation if it is still running. Safe to repeat. */
  giveUp(): void;
}

type Step = IteratorResult<SpeechChunk, undefined>;

/**
 * Requests the audio. Resolves with it when the first piece has arrived. Audio that ends without any piece is a failure
 * of the provider, unless `mayBeSilent` is set; then the promise resolves. Rejects with the provider's error, with
 * `upstream_timeout` if the provider is silent for SILENT_MS, and with the reason of the signal; the upstream
 * generation has then ended. A later silence rejects the iteration in the same way.
 */
export async function beginSpokenAudio(
  speak: (signal: AbortSignal) => AsyncIterable<SpeechChunk>,
  {
    clock,
    signal,
    mayBeSilent,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly mayBeSilent: boolean },
): Promise<SpokenAudio> {
  const silence = new AbortController();
  const either = linkSignals(signal, silence.signal);
  const watch = watchSilence(clock, SILENT_MS, () => silence.abort());
  let iterator: AsyncIterator<SpeechChunk, undefined> | undefined;
  let isAwaited = false;

  /** The timeout runs only while we wait for audio, not while the client reads. */
  function pull(from: AsyncIterator<SpeechChunk, undefined>): Promise<Step> {
    if (!isAwaited) watch.wait();
    isAwaited = true;
    return from.next().then(arrived, failed);
  }

  function arrived(step: Step): Step {
    if (silence.signal.aborted) throw failed(undefined);
    if (step.done) end();
    else {
      isAwaited = false;
      watch.rest();
    }
    return step;
  }

  function failed(error: unknown): never {
    end();
    if (!silence.signal.aborted || (isGatewayError(error) && error.code === 'upstream_timeout')) throw error;
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider fell silent', 'upstream_timeout');
  }

  function end(): void {
    watch.end();
    either.release();
  }

  function giveUp(): void {
    end();
    iterator?.return?.().catch(() => {});
  }

  try {
    const source = speak(either.signal)[Symbol.asyncIterator]();
    iterator = source;
    const step = await pull(source);
    // A cancelled generation ends without an error, but it has not begun.
    signal.throwIfAborted();
    if (step.done && !mayBeSilent)
      throw upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, 'the provider ended the text without audio');
    let first: Step | undefined = step;
    const rest: AsyncIterator<SpeechChunk, undefined> = {
      next() {
        const early = first;
        first = undefined;
        return early ? Promise.resolve(early) : pull(source);
      },
      async return() {
        giveUp();
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => rest, giveUp };
  } catch (error) {
    giveUp();
    throw error;
  }
}
