import type { Cancel } from '../../domain/clock';
import { GatewayError, upstreamFailed } from '../../domain/errors';
import { createWorkerPool } from '../../io/worker-pool';
import { linkSignals } from '../../io/linked-signal';
import { pcmSeconds } from '../../domain/pcm';
import type { ProviderDeps } from '../../domain/provider';
import type { Call } from '../../domain/call';
import type { SttEvent, SttProvider, SttRequest, Word } from '../../domain/transcription';
import { createEventQueue } from '../kit/messages/event-queue';
import { createResampler, decodeSamples } from '../kit/speech/pcm';
import { createUtteranceCutter, type Utterance } from './stt/utterances';
import { parseScenario } from './scenario';

const RATE = 16_000;
/** Recognition takes about a tenth of the audio's duration; with more sessions a thread would fall behind real time. */
const SESSIONS_PER_THREAD = 6;
/** While this many utterances wait for their text, no more audio is taken. */
const MAX_PENDING = 3;
/** New speech between two interim results. */
const INTERIM_SECONDS = 0.5;
/**
 * Loading the recogniser takes several seconds, but a session waits only a few for `ready`. On a busy machine `ready`
 * is therefore sent before loading has ended, and the audio waits here.
 */
const WARM_UP_MS = 4_000;
/**
 * On a busy machine the last text can take longer than the silence timeout of a provider, so progress is reported
 * meanwhile.
 */
const WORKING_INTERVAL_MS = 1_000;

/**
 * Recognises English speech on this machine. Interim results are sent while the threads have capacity; finals always.
 */
export function createSandboxStt({
  clock,
  startWorker,
  cores,
}: Pick<ProviderDeps, 'clock' | 'startWorker' | 'cores'>): SttProvider & { close(): Promise<void> } {
  const threadCount = cores >= 4 ? 2 : 1;
  const threads = createWorkerPool<Float32Array, string>({
    source: 'lib/providers/sandbox/stt/stt-worker.ts',
    maxThreads: threadCount,
    idleTimeoutMs: 120_000,
    taskTimeoutMs: 60_000,
    startWorker,
    clock,
  });
  let open = 0;

  async function* transcribe(
    audio: AsyncIterable<Uint8Array>,
    request: SttRequest,
    call: Call,
  ): AsyncGenerator<SttEvent> {
    if (open >= threadCount * SESSIONS_PER_THREAD) {
      throw new GatewayError(
        'overloaded',
        'The sandbox has reached its limit of simultaneous transcriptions. Try again in a moment.',
        { upstream: { retry: 'later', started: 'no', retryAfterMs: 5_000 } },
      );
    }
    open += 1;
    const ending = new AbortController();
    const either = linkSignals(call.signal, ending.signal);
    const { signal } = either;
    try {
      const scenario = parseScenario(request.scenario);
      if (scenario?.kind === 'fail')
        throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'the scenario refuses this session');
      if (scenario?.kind === 'slow') await clock.sleep(scenario.seconds * 1_000, signal);
      if (scenario?.kind === 'hang')
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await warmUp(signal);
      if (signal.aborted) return;
      yield { kind: 'ready' };

      const events = createEventQueue<SttEvent>();
      const stop = () => events.finish();
      signal.addEventListener('abort', stop, { once: true });
      listen(audio, request, events, signal, scenario?.kind === 'drop' ? 1 : undefined).then(
        () => events.finish(),
        (error: unknown) => events.fail(error),
      );
      try {
        yield* events;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    } catch (error) {
      if (!call.signal.aborted) throw error;
    } finally {
      ending.abort();
      either.release();
      open -= 1;
    }
  }

  /** Loads the recogniser early, so that the first session gets its interim results in time. */
  async function warmUp(signal: AbortSignal): Promise<void> {
    const waited = new AbortController();
    const either = linkSignals(signal, waited.signal);
    const warm = threads.warmUp(new Float32Array(0), { signal });
    try {
      await Promise.race([warm, clock.sleep(WARM_UP_MS, either.signal)]);
    } finally {
      waited.abort();
      either.release();
      // If the recogniser is broken, the first text reports it.
      warm.catch(() => {});
    }
  }

  async function listen(
    audio: AsyncIterable<Uint8Array>,
    { format }: SttRequest,
    events: { push(event: SttEvent): void },
    signal: AbortSignal,
    dropAfterSeconds: number | undefined,
  ): Promise<void> {
    const resampler = createResampler(format.sampleRateHz, RATE);
    const cutter = createUtteranceCutter();
    /** Finals without text yet, oldest first: they are sent in the order of speech. */
    const pending: Promise<void>[] = [];
    let lastFinal: Promise<void> = Promise.resolve();
    let finalCount = 0;
    let saidFinals = 0;
    let interim: AbortController | undefined;
    let heardAtInterim = 0;
    let heardSeconds = 0;
    let failure: { readonly error: unknown } | undefined;

    function finalize(utterance: Utterance): void {
      // A queued interim recognition is obsolete. One that a thread has started is finished anyway, usually before the
      // final text.
      if (threads.waiting() > 0) interim?.abort();
      finalCount += 1;
      heardAtInterim = heardSeconds;
      const text = threads.run(utterance.samples, { signal, urgent: true });
      // In order of speech, whichever thread finishes first.
      const done: Promise<void> = Promise.all([text, lastFinal]).then(([found]) => {
        saidFinals += 1;
        if (found) events.push(transcriptOf(found, utterance, true));
      });
      lastFinal = done.catch((error: unknown) => {
        failure ??= { error };
      });
      pending.push(lastFinal);
      void lastFinal.then(() => pending.shift());
    }

    function guess(): void {
      if (interim || threads.waiting() > 0 || pending.length > 0 || heardSeconds - heardAtInterim < INTERIM_SECONDS)
        return;
      const utterance = cutter.current();
      if (!utterance) return;
      const guessing = new AbortController();
      const guessed = finalCount;
      const either = linkSignals(signal, guessing.signal);
      interim = guessing;
      heardAtInterim = heardSeconds;
      threads
        .run(utterance.samples, { signal: either.signal })
        .then(
          (text) => {
            if (text && !guessing.signal.aborted && saidFinals <= guessed)
              events.push(transcriptOf(text, utterance, false));
          },
          // A failed interim result does not matter; a broken thread shows in the final one.
          () => {},
        )
        .finally(() => {
          either.release();
          interim = undefined;
        });
    }

    const ended = () => failure !== undefined || signal.aborted;
    for await (const bytes of audio) {
      heardSeconds += pcmSeconds(bytes.byteLength, format);
      for (const utterance of cutter.push(resampler.push(decodeSamples(bytes, format)))) finalize(utterance);
      guess();
      while (pending.length > MAX_PENDING && !ended()) await pending[0];
      if (ended()) break;
      if (dropAfterSeconds !== undefined && heardSeconds >= dropAfterSeconds)
        throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the scenario drops the connection');
    }
    for (const utterance of [...cutter.push(resampler.flush()), ...cutter.flush()]) finalize(utterance);
    await sayingSo(lastFinal, events);
    interim?.abort();
    if (failure && !signal.aborted) throw failure.error;
  }

  /** Reports progress regularly until the work is done. */
  async function sayingSo(work: Promise<void>, events: { push(event: SttEvent): void }): Promise<void> {
    let cancel: Cancel;
    const say = () => {
      events.push({ kind: 'working' });
      cancel = clock.after(WORKING_INTERVAL_MS, say);
    };
    cancel = clock.after(WORKING_INTERVAL_MS, say);
    try {
      await work;
    } finally {
      cancel();
    }
  }

  return { transcribe, close: () => threads.close() };
}

function transcriptOf(text: string, utterance: Utterance, isFinal: boolean): SttEvent {
  return { kind: 'transcript', transcript: { text, isFinal, words: spread(text, utterance) } };
}

/** Spreads the words over the utterance in proportion to their length, because the recogniser returns no times. */
function spread(text: string, { startSeconds, endSeconds }: Utterance): Word[] {
  const words = text.split(/\s+/);
  const characters = words.reduce((sum, word) => sum + word.length + 1, 0);
  const perCharacter = (endSeconds - startSeconds) / characters;
  let at = startSeconds;
  return words.map((word) => {
    const start = at;
    at += (word.length + 1) * perCharacter;
    return { word, startSeconds: start, endSeconds: at - perCharacter };
  });
}
