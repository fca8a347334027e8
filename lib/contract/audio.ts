import { z } from 'zod';
import type { JsonOf } from './fields';

// The text messages of the audio sockets: those of the client, whose unknown fields are ignored, and those of the
// server.

const language = z
  .string('language must be a string.')
  .nullish()
  .describe('ISO-639-1, such as "en". If left out, the model decides.');

export const configureSchema = z.object({
  type: z.literal('configure'),
  model: z.string('model must be a string.'),
  encoding: z.string('encoding must be a string.').nullish().describe('If left out: "pcm_s16le".'),
  sample_rate: z.number('sample_rate must be a number.').nullish().describe('In Hz. If left out: 16000.'),
  language,
});
const stopSchema = z.object({ type: z.literal('stop') });
/** The text messages of the client. The audio itself is sent as binary frames. */
export const transcriptionInputSchema = z.discriminatedUnion('type', [configureSchema, stopSchema]);

export const ttsSchema = z.object({
  type: z.literal('tts'),
  model: z.string('model must be a string.'),
  input: z.string('input must be a string.').describe('The text to speak.'),
  voice: z.string('voice must be a string.').describe('The name or the id of a voice.'),
  output_format: z.string('output_format must be a string.').nullish().describe('If left out: "pcm_24000".'),
  speed: z.number('speed must be a number.').nullish().describe('If left out: 1.'),
  language,
});
const cancelSchema = z.object({ type: z.literal('cancel') });
export const speechInputSchema = z.discriminatedUnion('type', [ttsSchema, cancelSchema]);

export type SocketErrorJson = JsonOf<typeof socketErrorSchema>;
const socketErrorSchema = z.strictObject({
  type: z.literal('error'),
  message: z.string(),
  code: z.int().describe('An HTTP status.'),
});

export type SessionStartedJson = JsonOf<typeof sessionStartedSchema>;
const sessionStartedSchema = z.strictObject({ type: z.literal('session_started'), session_id: z.string() });

export type TranscriptJson = JsonOf<typeof transcriptSchema>;
const transcriptSchema = z.strictObject({
  type: z.literal('transcript'),
  text: z.string(),
  is_final: z.boolean().describe('False: may still change.'),
  words: z
    .array(z.strictObject({ word: z.string(), start: z.number(), end: z.number() }))
    .exactOptional()
    .describe('Times in seconds from the first sample.'),
});

export type TranscriptionDoneJson = JsonOf<typeof transcriptionDoneSchema>;
const transcriptionDoneSchema = z.strictObject({
  type: z.literal('done'),
  audio_duration_seconds: z.number(),
  session_duration_seconds: z.number(),
});

/** A message of a transcription socket. */
export type TranscriptionMessageJson = JsonOf<typeof transcriptionOutputSchema>;
export const transcriptionOutputSchema = z.discriminatedUnion('type', [
  sessionStartedSchema,
  transcriptSchema,
  transcriptionDoneSchema,
  socketErrorSchema,
]);

const audioSchema = z.strictObject({
  type: z.literal('audio'),
  data: z.string().describe('Base64 of raw PCM.'),
  context_id: z.string(),
});

const speechDoneSchema = z.strictObject({ type: z.literal('done'), context_id: z.string() });

/** A message of a speech socket. */
export type SpeechMessageJson = JsonOf<typeof speechOutputSchema>;
export const speechOutputSchema = z.discriminatedUnion('type', [audioSchema, speechDoneSchema, socketErrorSchema]);
