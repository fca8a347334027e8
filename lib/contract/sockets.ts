import type { z } from 'zod';
import { speechInputSchema, speechOutputSchema, transcriptionInputSchema, transcriptionOutputSchema } from './audio';
import type { JsonOf } from './fields';

// Describes the audio sockets. GET /asyncapi.json is generated from these declarations, and tests compare every message
// that they receive with them.

export interface Socket {
  readonly name: 'transcription' | 'speech';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The messages of the client. */
  readonly input: Messages;
  /** The messages of the server. */
  readonly output: Messages;
  /** The frames of the client that are not JSON. */
  readonly binary?: { readonly name: string; readonly description: string };
}

interface Messages {
  readonly schema: z.ZodDiscriminatedUnion<readonly z.ZodObject<{ type: z.ZodLiteral<string> }>[]>;
  /** Descriptions by the type of the message. */
  readonly described: Readonly<Record<string, { readonly summary: string; readonly example: unknown }>>;
}

/** A description for every message of a union. */
type Described<Union> = {
  readonly [Type in Union extends { readonly type: infer Name extends string } ? Name : never]: {
    readonly summary: string;
    readonly example: Extract<Union, { readonly type: Type }>;
  };
};

const errorMessage = {
  summary: 'An error. The connection then closes, unless only a message was refused.',
  example: { type: 'error', message: 'The model does not support this sample_rate. Use 16000.', code: 400 },
} as const;

export const sockets: readonly Socket[] = [
  {
    name: 'transcription',
    path: '/v1/audio/transcriptions/ws',
    summary: 'Streaming speech-to-text',
    description:
      'Send `configure`, wait for `session_started`, send audio as binary frames, then `stop`. Transcripts arrive in the meantime, and `done` at the end.',
    input: {
      schema: transcriptionInputSchema,
      described: {
        configure: {
          summary: 'The first message: the model, and the format of the audio.',
          example: {
            type: 'configure',
            model: 'sandbox-stt',
            encoding: 'pcm_s16le',
            sample_rate: 16_000,
            language: 'en',
          },
        },
        stop: { summary: 'No more audio follows.', example: { type: 'stop' } },
      } satisfies Described<JsonOf<typeof transcriptionInputSchema>>,
    },
    output: {
      schema: transcriptionOutputSchema,
      described: {
        session_started: {
          summary: 'Audio may be sent now.',
          example: { type: 'session_started', session_id: 'session_4b6d8f1a3c5e7b9d0f2a4c6e8b0d2f4a' },
        },
        transcript: {
          summary: 'Transcribed text. It may change until `is_final` is true.',
          example: {
            type: 'transcript',
            text: 'The boat',
            is_final: true,
            words: [
              { word: 'The', start: 0.12, end: 0.24 },
              { word: 'boat', start: 0.24, end: 0.61 },
            ],
          },
        },
        done: {
          summary: 'The last message after `stop`.',
          example: { type: 'done', audio_duration_seconds: 4.2, session_duration_seconds: 5.1 },
        },
        error: errorMessage,
      } satisfies Described<JsonOf<typeof transcriptionOutputSchema>>,
    },
    binary: {
      name: 'audio',
      description: 'A binary frame of raw PCM, mono, 20 to 100 ms, in the configured encoding. No containers.',
    },
  },
  {
    name: 'speech',
    path: '/v1/audio/speech/ws',
    summary: 'Streaming text-to-speech',
    description:
      'Send `tts`; `audio` messages follow, then `done`, all with the same `context_id`. A new `tts` cancels the previous text, even if the new one is refused.',
    input: {
      schema: speechInputSchema,
      described: {
        tts: {
          summary: 'Speak a text.',
          example: { type: 'tts', model: 'sandbox-tts', input: 'The boat is on the lake.', voice: 'rms' },
        },
        cancel: { summary: 'Stop the text that is being spoken. It is not acknowledged.', example: { type: 'cancel' } },
      } satisfies Described<JsonOf<typeof speechInputSchema>>,
    },
    output: {
      schema: speechOutputSchema,
      described: {
        audio: {
          summary: 'A part of the audio.',
          example: { type: 'audio', data: 'AAABAAIAAwA=', context_id: 'ctx_8c0e2a4b6d8f1a3c5e7b9d0f2a4c6e8b' },
        },
        done: {
          summary: 'All audio of the text has been sent.',
          example: { type: 'done', context_id: 'ctx_8c0e2a4b6d8f1a3c5e7b9d0f2a4c6e8b' },
        },
        error: errorMessage,
      } satisfies Described<JsonOf<typeof speechOutputSchema>>,
    },
  },
];
