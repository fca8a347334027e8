import { GatewayError, upstreamFailed, upstreamRefused } from '../../domain/errors';
import type { ProviderDeps } from '../../domain/provider';
import type { Call } from '../../domain/call';
import { createWorkerPool } from '../../io/worker-pool';
import { linkSignals } from '../../io/linked-signal';
import type { SpeechChunk, SpeechRequest, TtsConnection, TtsProvider } from '../../domain/speech';
import { pcmBytes } from '../../domain/pcm';
import { createResampler, encodeSamples } from '../kit/speech/pcm';
import { parseScenario } from './scenario';
import type { SpeakTask } from './tts/tts-worker';
import type { FliteVoice, Speech } from './tts/flite';
import { sentencesOf, speakable } from './tts/sentences';

const voices: readonly FliteVoice[] = ['slt', 'rms', 'awb', 'kal'];
/** Generations take turns sentence by sentence; more of them would delay all. */
const MAX_GENERATIONS = 24;
const CHUNK_SECONDS = 0.2;
/** The pause for a piece of text without speakable characters. */
const PAUSE_SECONDS = 0.2;

/**
 * Synthesises English speech on this machine, whatever the language: each sentence is sent while the next one is
 * synthesised.
 */
export function createSandboxTts({
  clock,
  startWorker,
}: Pick<ProviderDeps, 'clock' | 'startWorker'>): TtsProvider & { close(): Promise<void> } {
  const threads = createWorkerPool<SpeakTask, Speech>({
    source: 'lib/providers/sandbox/tts/tts-worker.ts',
    maxThreads: 1,
    idleTimeoutMs: 60_000,
    taskTimeoutMs: 20_000,
    startWorker,
    clock,
  });
  let running = 0;

  async function* speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    if (running >= MAX_GENERATIONS) {
      throw new GatewayError(
        'overloaded',
        'The sandbox has reached its limit of simultaneous speech requests. Try again in a moment.',
        {
          upstream: { retry: 'later', started: 'no', retryAfterMs: 2_000 },
        },
      );
    }
    running += 1;
    try {
      const scenario = parseScenario(request.scenario);
      switch (scenario?.kind) {
        case 'fail':
          throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'the scenario fails this generation');
        case 'moderated-input':
          throw upstreamRefused('The provider refused to speak this text.');
        case 'hang':
          await aborted(signal);
          return;
        case 'slow':
          await clock.sleep(scenario.seconds * 1_000, signal);
          break;
      }
      const { voice, stretch } = { voice: voiceOf(request.voice), stretch: 1 / (request.speed ?? 1) };
      for (const sentence of sentencesOf(request.input)) {
        if (signal.aborted) return;
        const text = speakable(sentence);
        // The leading space prevents a text that starts with a dash from being read as an option.
        const speech = /[a-z0-9]/i.test(text)
          ? await threads.run({ text: ` ${text}`, voice, stretch }, { signal })
          : pause;
        yield* chunksOf(speech, request);
        if (scenario?.kind === 'drop')
          throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the scenario drops the connection');
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      running -= 1;
    }
  }

  return {
    open(call: Call): TtsConnection {
      const closing = new AbortController();
      threads.start();
      return {
        async *speak(request, signal) {
          const either = linkSignals(signal, call.signal, closing.signal);
          try {
            yield* speak(request, either.signal);
          } finally {
            either.release();
          }
        },
        close: () => closing.abort(),
      };
    },
    close: () => threads.close(),
  };
}

const pause: Speech = { samples: new Float32Array(16_000 * PAUSE_SECONDS), sampleRateHz: 16_000 };

function* chunksOf({ samples, sampleRateHz }: Speech, { format }: SpeechRequest): Generator<SpeechChunk> {
  const resampler = createResampler(sampleRateHz, format.sampleRateHz);
  const parts = [resampler.push(samples), resampler.flush()];
  for (const part of parts) {
    const bytes = encodeSamples(part, format);
    const size = pcmBytes(CHUNK_SECONDS, format);
    for (let at = 0; at < bytes.byteLength; at += size) {
      yield { base64: Buffer.from(bytes.buffer, at, Math.min(size, bytes.byteLength - at)).toString('base64') };
    }
  }
}

/**
 * Returns one of our voices by name; otherwise, when replacing another provider, always the same one for the same
 * voice.
 */
function voiceOf(name: string): FliteVoice {
  const own = voices.find((voice) => voice === name.toLowerCase());
  if (own) return own;
  let sum = 0;
  for (let at = 0; at < name.length; at++) sum += name.charCodeAt(at);
  return sum % 2 === 0 ? 'slt' : 'rms';
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
