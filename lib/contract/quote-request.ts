import { z } from 'zod';
import { videoRequestSchema } from './videos';

const count = z.int().nonnegative().nullish();

/** The request for a quote: the request itself, for which a video needs no prompt, or its amounts. */
export type QuoteField = keyof z.infer<typeof quoteRequestSchema>;
export const quoteRequestSchema = videoRequestSchema.partial({ prompt: true }).extend({
  input_tokens: count.describe('Of a message, as all tokens.'),
  cache_read_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  audio_seconds: count.describe('Of a transcription. Left out: 60.'),
  language: z.string().nullish().describe('Of a transcription.'),
  input: z.string().nullish().describe('Of speech: the text.'),
  characters: count.describe('Of speech, instead of the text.'),
});
