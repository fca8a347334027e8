import { checkEndpointAccess, checkScope } from '../../accounts/access';
import type { SessionStart } from '../../audio/session';
import type { SpeechMessageJson, TranscriptionMessageJson } from '../../contract/audio';
import { GatewayError } from '../../domain/errors';
import { readWav, wavFile } from '../../io/wav';
import type { KeyContext } from '../handler';
import { createMemoryChannel, type MemoryChannel } from './memory-channel';

// Speaks a text or transcribes a recording through the same sessions as the sockets, with the same limits, prices and
// failover.

const SPEECH_PATH = '/v1/audio/speech/ws';
const TRANSCRIPTION_PATH = '/v1/audio/transcriptions/ws';
const SAMPLE_RATE_HZ = 24_000;
const FRAMES_PER_SECOND = 10;

export interface SpeakRequest {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly language?: string | undefined;
  readonly speed?: number | undefined;
}

/** Speaks a text; resolves with a WAV file. Rejects with a GatewayError. */
export async function speakText(context: KeyContext, request: SpeakRequest, signal: AbortSignal): Promise<Uint8Array> {
  return inSession(context, SPEECH_PATH, signal, async ({ send, messages, lastError }) => {
    send({ type: 'tts', ...request, output_format: `pcm_${SAMPLE_RATE_HZ}` });
    const parts: Buffer[] = [];
    for await (const each of messages()) {
      const message = each as SpeechMessageJson; // Safe: the session sends no others.
      if (message.type === 'error') throw lastError() ?? errorOf(message);
      if (message.type === 'done') break;
      parts.push(Buffer.from(message.data, 'base64'));
    }
    const audio = new Uint8Array(Buffer.concat(parts));
    return wavFile(new Int16Array(audio.buffer, 0, Math.floor(audio.length / 2)), SAMPLE_RATE_HZ);
  });
}

export interface TranscribeRequest {
  readonly model: string;
  /** Base64 of a WAV file. */
  readonly audio: string;
  readonly language?: string | undefined;
}

export interface HeardText {
  readonly text: string;
  readonly duration_seconds: number;
}

/** Transcribes a recording; resolves with its text. Rejects with a GatewayError. */
export async function transcribeFile(
  context: KeyContext,
  { model, audio, language }: TranscribeRequest,
  signal: AbortSignal,
): Promise<HeardText> {
  const sound = readWav(Buffer.from(audio, 'base64'));
  if (!sound)
    throw new GatewayError('media_invalid', 'audio must be the base64 of a WAV file with 16-bit mono samples.', {
      param: 'audio',
    });
  return inSession(context, TRANSCRIPTION_PATH, signal, async ({ send, sendBinary, messages, lastError }) => {
    send({ type: 'configure', model, encoding: 'pcm_s16le', sample_rate: sound.sampleRateHz, language });
    const texts: string[] = [];
    for await (const each of messages()) {
      const message = each as TranscriptionMessageJson; // Safe: the session sends no others.
      if (message.type === 'error') throw lastError() ?? errorOf(message);
      if (message.type === 'session_started') void sendAll();
      if (message.type === 'transcript' && message.is_final) texts.push(message.text);
      if (message.type === 'done')
        return { text: texts.join(' ').trim(), duration_seconds: message.audio_duration_seconds };
    }
    throw new GatewayError('upstream_invalid_response', 'The transcription ended before its last text. Try again.');

    async function sendAll(): Promise<void> {
      const frame = 2 * Math.ceil(sound!.sampleRateHz / FRAMES_PER_SECOND);
      for (let at = 0; at < sound!.samples.length; at += frame)
        await sendBinary(sound!.samples.subarray(at, at + frame));
      send({ type: 'stop' });
    }
  });
}

interface ToolSession extends MemoryChannel {
  /** Returns the error that ended the session, if any; the message to the client contains only a status. */
  lastError(): GatewayError | undefined;
}

/** Runs `work` with a session that is admitted like that of a socket, and ends the session afterwards. */
async function inSession<T>(
  { gateway, caller, request }: KeyContext,
  path: string,
  signal: AbortSignal,
  work: (session: ToolSession) => Promise<T>,
): Promise<T> {
  checkScope(caller.policy, 'inference');
  checkEndpointAccess(caller.policy, path);
  const by = await gateway.providers.servedBy(caller);
  const { error, release } = await gateway.limits.admit(caller, { startsWork: true, stays: true });
  if (error) throw error;
  const session = createMemoryChannel();
  let lastError: GatewayError | undefined;
  const start: SessionStart = {
    channel: session.channel,
    caller,
    by,
    scenario: request.headers['x-test-scenario'],
    traceparent: request.headers['traceparent'],
    onError: (failed) => (lastError = failed),
  };
  signal.addEventListener('abort', session.leave);
  try {
    signal.throwIfAborted();
    if (path === SPEECH_PATH) gateway.audio.speak(start);
    else gateway.audio.transcribe(start);
    return await work({ ...session, lastError: () => lastError });
  } finally {
    signal.removeEventListener('abort', session.leave);
    session.leave();
    release();
  }
}

const errorOf = ({ message }: { readonly message: string }) => new GatewayError('internal_error', message);
