import { z } from 'zod';
import { messagesRequestSchema } from './messages';
import { videoRequestSchema } from './videos';

const count = z.int().nonnegative().nullish();

const { messages, max_tokens: maxTokens, system, tools } = messagesRequestSchema.shape;

/** The request for a quote: the request itself, for which a video needs no prompt, or its amounts. */
export type QuoteField = keyof z.infer<typeof quoteRequestSchema>;
export const quoteRequestSchema = videoRequestSchema.partial({ prompt: true }).extend({
  messages: messages.nullish().describe('For a message, with the other fields of its request.'),
  max_tokens: maxTokens.nullish().describe('For a message, with `messages`: the price includes all of these tokens.'),
  system: system.nullish().describe('For a message.'),
  tools: tools.describe('For a message.'),
  input_tokens: count.describe('For a message: its tokens, instead of `messages`, like the following three fields.'),
  cache_read_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  audio_seconds: count.describe('For a transcription. If left out: 60.'),
  language: z.string().nullish().describe('For a transcription.'),
  input: z.string().nullish().describe('For speech: the text.'),
  characters: count.describe('For speech: the length of the text, instead of the text.'),
});
