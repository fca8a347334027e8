import { z } from 'zod';
import type { JsonOf } from './fields';

// The messages API. Its bodies belong to a vendor, whose clients and models add fields at any time, so these schemas
// are open: they describe what the gateway relies on. Requests are validated by hand
// (lib/messages/request/messages-request.ts), for two reasons: the errors have the form of the vendor, and a body of
// many megabytes is checked in one pass without a copy. Responses of the vendor are forwarded byte for byte.

const block = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(block)]);

export const messagesRequestSchema = z.looseObject({
  model: z.string().describe('A model of the messages API, or <provider>/<model>.'),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content }))
    .min(1)
    .max(100_000),
  max_tokens: z.int().nonnegative().describe('The maximum number of tokens of the answer.'),
  system: content.optional(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().nonnegative().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  stream: z.boolean().optional().describe('True: the answer is a stream of events.'),
});
/** The messages request with an optional `max_tokens`, which a count does not need. */
export const countTokensRequestSchema = messagesRequestSchema.partial({ max_tokens: true });

export const messageSchema = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(block),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
});

export type TokenCountJson = JsonOf<typeof tokenCountSchema>;
export const tokenCountSchema = z.strictObject({ input_tokens: z.int() });
