import { z } from 'zod';
import { messagesRequestSchema } from './messages';
import { videoRequestSchema } from './videos';

const count = z.int().nonnegative().nullish();

const { messages, max_tokens: maxTokens, system, tools } = messagesRequestSchema.shape;

/** The request for a quote: the request itself, for which a video needs no prompt, or its amounts. */
export type QuoteField = keyof z.infer<typeof quoteRequestSchema>;
export const quoteRequestSchema = videoRequestSchema.partial({ prompt: true }).extend({
  messages: messages.nullish().describe('Of a message, with the other fields of its request.'),
  max_tokens: maxTokens.nullish().describe('Of a message, with `messages`: all of these tokens are in the price.'),
  system: system.nullish().describe('Of a message.'),
  tools: tools.describe('Of a message.'),
  input_tokens: count.describe('Of a message, as the following three: its tokens, instead of `messages`.'),
  cache_read_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  audio_seconds: count.describe('Of a transcription. Left out: 60.'),
  language: z.string().nullish().describe('Of a transcription.'),
  input: z.string().nullish().describe('Of speech: the text.'),
  characters: count.describe('Of speech: its length, instead of the text.'),
});
