import { allowedBindings, checkModelAccess } from '../accounts/access';
import type { Catalog } from '../catalog/catalog';
import { resolveModelOf } from '../catalog/resolve';
import {
  configureSchema,
  type SessionStartedJson,
  type TranscriptionDoneJson,
  type TranscriptJson,
} from '../contract/audio';
import type { KeyPolicy } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import type { SttModel } from '../domain/model';
import type { PcmFormat } from '../domain/pcm';
import type { SttBinding, Transcript } from '../domain/transcription';
import { checkLanguage, readField, readText, unsupported, type Message } from './message-fields';

// The messages of a transcription: the fields of `configure`, and our answers.

export interface Configuration {
  readonly model: SttModel;
  /** The bindings that the key may use, in catalog order. */
  readonly bindings: readonly SttBinding[];
  readonly format: PcmFormat;
  /** As the client wrote it. */
  readonly language?: string;
}

/** Validates a `configure` message. Throws a GatewayError that names the field. */
export function parseConfigure(message: Message, catalog: Catalog, policy: KeyPolicy): Configuration {
  const name = readText(
    configureSchema,
    message,
    'model',
    'the id of a speech-to-text model. GET /v1/models lists them',
  );
  const { model, bindings } = resolveModelOf(catalog, name.slice(0, 200), 'stt', policy);
  checkModelAccess(policy, model.id);
  const usable = allowedBindings(policy, bindings);
  const { encodings, sampleRatesHz, languages } = model.stt;

  const requested = readField(configureSchema, message, 'encoding') ?? 'pcm_s16le';
  const encoding = encodings.find((each) => each === requested);
  if (!encoding) throw unsupported('encoding', requested, model.id, encodings);
  const sampleRateHz = readField(configureSchema, message, 'sample_rate') ?? 16_000;
  if (!sampleRatesHz.includes(sampleRateHz)) throw unsupported('sample_rate', sampleRateHz, model.id, sampleRatesHz);
  const language = checkLanguage(readField(configureSchema, message, 'language'), model.id, languages);
  return {
    model,
    bindings: usable,
    format: { encoding, sampleRateHz },
    ...(language === undefined ? {} : { language }),
  };
}

/** Returns the language for the provider: the client's, or the model's default; undefined enables detection. */
export function languageOf({ model, language }: Pick<Configuration, 'model' | 'language'>): string | undefined {
  return language ?? ('assumes' in model.stt.withoutLanguage ? model.stt.withoutLanguage.assumes : undefined);
}

export function presentStarted(sessionId: string): string {
  return JSON.stringify({ type: 'session_started', session_id: sessionId } satisfies SessionStartedJson);
}

export function presentTranscript({ text, isFinal, words }: Transcript): string {
  return JSON.stringify({
    type: 'transcript',
    text,
    is_final: isFinal,
    ...(words && {
      words: words.map(({ word, startSeconds, endSeconds }) => ({
        word,
        start: thousandths(startSeconds),
        end: thousandths(endSeconds),
      })),
    }),
  } satisfies TranscriptJson);
}

export function presentDone(audioSeconds: number, sessionSeconds: number): string {
  return JSON.stringify({
    type: 'done',
    audio_duration_seconds: thousandths(audioSeconds),
    session_duration_seconds: thousandths(sessionSeconds),
  } satisfies TranscriptionDoneJson);
}

export const notYetConfigured = () =>
  new GatewayError(
    'malformed_request',
    'The first message must be "configure". Send it before any audio, then wait for "session_started".',
  );
export const alreadyConfigured = () =>
  new GatewayError(
    'malformed_request',
    'The session is configured already. Open another socket for another configuration.',
  );
export const unknownType = (type: string) =>
  new GatewayError(
    'unsupported_value',
    `"${type.slice(0, 40)}" is not a message of this socket. Send "configure", binary audio, or "stop".`,
    { param: 'type' },
  );
export const partialSample = (bytes: number, sampleBytes: number) =>
  new GatewayError(
    'invalid_body',
    `A frame of ${bytes} bytes does not hold whole samples. Send a multiple of ${sampleBytes} bytes.`,
  );

/** Signatures of audio file containers. Raw audio begins with one of them only once in four billion times. */
const containers: readonly (readonly [name: string, offset: number, magic: string])[] = [
  ['WAV', 0, 'RIFF'],
  ['Ogg', 0, 'OggS'],
  ['FLAC', 0, 'fLaC'],
  ['MP3', 0, 'ID3\u0003'],
  ['MP3', 0, 'ID3\u0004'],
  ['WebM', 0, '\u001aE\u00df\u00a3'],
  ['MP4', 4, 'ftyp'],
];

/** Throws `invalid_body` if the first frame of a session begins like an audio file. */
export function checkIsRaw(frame: Uint8Array): void {
  const head = Buffer.from(frame.buffer, frame.byteOffset, Math.min(frame.byteLength, 8)).toString('latin1');
  const name = containers.find(([, offset, magic]) => head.startsWith(magic, offset))?.[0];
  if (name === undefined) return;
  const remedy =
    name === 'WAV'
      ? 'Leave out the header, and name its sample_rate and encoding in "configure".'
      : 'Decode it first, for example with: ffmpeg -i FILE -f s16le -ac 1 -ar 16000 -';
  throw new GatewayError(
    'invalid_body',
    `The audio is a ${name} file. Send raw mono PCM without a container. ${remedy}`,
  );
}

const thousandths = (seconds: number) => Math.round(seconds * 1000) / 1000;
