import { allowedBindings, checkModelAccess } from '../accounts/access';
import type { Catalog } from '../catalog/catalog';
import { parseOutputFormat } from '../catalog/output-format';
import { resolveModelOf } from '../catalog/resolve';
import { ttsSchema } from '../contract/audio';
import type { KeyPolicy } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import type { TtsModel } from '../domain/model';
import { countCharacters, type SpeechRequest, type TtsBinding } from '../domain/speech';
import { checkWellFormed } from '../domain/json';
import { checkLanguage, readField, readText, unsupported, type Message } from './message-fields';

// The messages of a speech socket: the fields of `tts`, and our answers.

export interface Order {
  readonly model: TtsModel;
  /** The bindings that the key may use, in catalog order. */
  readonly bindings: readonly TtsBinding[];
  readonly characters: number;
  readonly request: Omit<SpeechRequest, 'contextId' | 'binding' | 'scenario'>;
}

const DEFAULT_FORMAT = 'pcm_24000';

/** Validates a `tts` message. Throws a GatewayError that names the field. */
export function parseTts(message: Message, catalog: Catalog, policy: KeyPolicy): Order {
  const name = readText(ttsSchema, message, 'model', 'the id of a text-to-speech model. GET /v1/models lists them');
  const { model, bindings } = resolveModelOf(catalog, name.slice(0, 200), 'tts', policy);
  checkModelAccess(policy, model.id);
  const usable = allowedBindings(policy, bindings);
  const { tts } = model;

  const input = readText(ttsSchema, message, 'input', 'the text to speak');
  checkWellFormed('input', input);
  const characters = countCharacters(input);
  if (characters > tts.maxInputCharacters) {
    throw new GatewayError(
      'string_too_long',
      `input has ${characters} characters; ${model.id} takes at most ${tts.maxInputCharacters} in one message. Split it, and send each part after the "done" of the one before.`,
      { param: 'input' },
    );
  }
  const word = readField(ttsSchema, message, 'output_format') ?? DEFAULT_FORMAT;
  const format = tts.formats.includes(word) ? parseOutputFormat(word) : undefined;
  if (!format) throw unsupported('output_format', word, model.id, tts.formats);
  const language = checkLanguage(readField(ttsSchema, message, 'language'), model.id, tts.languages);
  const speed = parseSpeed(message, model);
  return {
    model,
    bindings: usable,
    characters,
    request: {
      input,
      voice: parseVoice(message, model),
      format,
      ...(speed === undefined ? {} : { speed }),
      ...(language === undefined ? {} : { language }),
    },
  };
}

function parseVoice(message: Message, { id, tts }: TtsModel): string {
  const voice = readText(
    ttsSchema,
    message,
    'voice',
    `a voice of ${id}, such as "${tts.voices[0]?.name ?? ''}"`,
  ).trim();
  checkWellFormed('voice', voice);
  const known = tts.voices.some(
    ({ id: voiceId, name }) => name.toLowerCase() === voice.toLowerCase() || voiceId === voice,
  );
  if (!known && !tts.otherVoices)
    throw unsupported(
      'voice',
      voice,
      id,
      tts.voices.map((voice) => voice.name),
    );
  if (voice.length > 200)
    throw new GatewayError('string_too_long', 'voice must be a name or an id of at most 200 characters.', {
      param: 'voice',
    });
  return voice;
}

function parseSpeed(message: Message, { id, tts }: TtsModel): number | undefined {
  const speed = readField(ttsSchema, message, 'speed');
  if (speed === undefined || speed === 1) return undefined;
  if (!tts.speed)
    throw new GatewayError('unsupported_value', `${id} speaks at one speed. Leave speed out, or send 1.`, {
      param: 'speed',
    });
  if (speed < tts.speed.min || speed > tts.speed.max) {
    throw new GatewayError(
      'unsupported_value',
      `speed must be between ${tts.speed.min} and ${tts.speed.max} for ${id}; got ${speed}.`,
      { param: 'speed', details: { allowed: [tts.speed.min, tts.speed.max] } },
    );
  }
  return speed;
}

/**
 * By string concatenation: the provider contract guarantees base64, which needs no escaping, and
 * JSON.stringify takes four times as long.
 */
export function presentAudio(base64: string, contextId: string): string {
  return `{"type":"audio","data":"${base64}","context_id":"${contextId}"}`;
}

export function presentSpoken(contextId: string): string {
  return `{"type":"done","context_id":"${contextId}"}`;
}

export const unknownType = (type: string) =>
  new GatewayError(
    'unsupported_value',
    `"${type.slice(0, 40)}" is not a message of this socket. Send "tts" or "cancel".`,
    { param: 'type' },
  );
export const noBinary = () =>
  new GatewayError('invalid_body', 'This socket takes text messages only. Send {"type":"tts", …}.');
