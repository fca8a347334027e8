import { z } from 'zod';
import { exactUnixSeconds, modeSchema, pageWithIdsOf, unixSeconds, usd, type JsonOf } from './fields';
import { quoteSchema } from './quotes';
import { heldSchema, keyOfWork, ledgerLineSchema } from './videos';

// The log of all requests that started work, as the console shows them. It has no content: no prompt, text or audio.

export const REQUEST_KINDS = ['video', 'message', 'transcription', 'speech'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export const REQUEST_STATUSES = ['queued', 'in_progress', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
export const requestStatusSchema = z
  .enum(REQUEST_STATUSES)
  .describe('partial: it ended early, and the delivered part is charged. cancelled: only for sessions.');

/** One entry of the log. */
export type RequestJson = JsonOf<typeof requestSchema>;
const requestSchema = z.strictObject({
  id: z.string().describe('The id of the video, the message, the transcription or the spoken text.'),
  object: z.literal('request'),
  kind: z.enum(REQUEST_KINDS),
  mode: modeSchema,
  status: requestStatusSchema,
  code: z.string().exactOptional().describe('The error code that ended it.'),
  model: z.string(),
  provider: z.string().exactOptional(),
  key: keyOfWork,
  request_id: z.string().describe('The id of the HTTP request; for transcriptions and speech that of the session.'),
  cost: usd.describe('What was charged; while it runs, what is held or used so far.'),
  tokens: z.strictObject({ input: z.int(), output: z.int() }).exactOptional().describe('Only for messages.'),
  seconds: z.number().exactOptional().describe('Length of the video or of the transcribed audio.'),
  characters: z.int().exactOptional().describe('Only for speech.'),
  duration_ms: z.int().exactOptional().describe('From the request to the end.'),
  created_at: unixSeconds,
});
export type RequestPageJson = JsonOf<typeof requestPageSchema>;
export const requestPageSchema = pageWithIdsOf(requestSchema);

/** One event of the history of a message or a session. */
export type RequestEvent = JsonOf<typeof requestEventSchema>;
const requestEventSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('accepted'), at: exactUnixSeconds }),
  z.strictObject({ event: z.literal('called'), at: exactUnixSeconds, attempt: z.int(), provider: z.string() }),
  z.strictObject({
    event: z.literal('provider_failed'),
    at: exactUnixSeconds,
    attempt: z.int(),
    provider: z.string(),
    code: z.string().exactOptional(),
  }),
  z
    .strictObject({ event: z.literal('first_result'), at: exactUnixSeconds })
    .describe('The first token, text or audio.'),
  z.strictObject({
    event: z.literal('ended'),
    at: exactUnixSeconds,
    status: requestStatusSchema,
    code: z.string().exactOptional(),
  }),
]);

/** One call of a provider. */
export type RequestAttemptJson = JsonOf<typeof requestAttemptSchema>;
const requestAttemptSchema = z.strictObject({
  attempt: z.int(),
  provider: z.string(),
  upstream_model: z.string().exactOptional(),
  outcome: z
    .enum(['served', 'lost', 'failed'])
    .describe('served: it delivered. lost: it delivered and then broke off. failed: it never delivered.'),
  code: z.string().exactOptional(),
  started_at: exactUnixSeconds,
  duration_ms: z
    .int()
    .describe('For a failure: until it failed. For a message: until the answer began. For a session: until its end.'),
});

const requestPriceSchema = z.strictObject({
  calculation: quoteSchema
    .exactOptional()
    .describe('The used units with their prices; absent if nothing was charged, or if the prices were not recorded.'),
  held: heldSchema.exactOptional().describe('Absent when the hold has been deleted.'),
  shared: z.boolean().describe('Messages of one key that run at the same time share one hold.'),
  charged: usd.exactOptional().describe('Absent while it runs.'),
  ledger: z.array(ledgerLineSchema).describe('The transfers of the hold.'),
});

/** What messages and sessions have in common. */
const common = {
  id: z.string(),
  mode: modeSchema,
  status: requestStatusSchema,
  code: z.string().exactOptional(),
  model: z.string(),
  provider: z.string().exactOptional(),
  key: keyOfWork,
  request_id: z.string().describe('The id of the HTTP request; for transcriptions and speech that of the session.'),
  first_result_ms: z.int().exactOptional().describe('From the request to the first token, text or audio.'),
  duration_ms: z.int().exactOptional().describe('Absent while it runs.'),
  created_at: exactUnixSeconds,
  completed_at: exactUnixSeconds.exactOptional(),
  timeline: z.array(requestEventSchema),
  attempts: z.array(requestAttemptSchema).describe('The attempts of a session are recorded at its end.'),
  price: requestPriceSchema,
};

const contentExpiresAt = unixSeconds.nullable();

/** All stored data of one message except its conversation. */
export type MessageDetails = JsonOf<typeof messageDetailsSchema>;
export const messageDetailsSchema = z.strictObject({
  object: z.literal('message'),
  ...common,
  upstream_model: z.string().exactOptional(),
  streamed: z.boolean(),
  stop_reason: z.string().exactOptional(),
  tokens: z.strictObject({
    input: z.int().describe('Tokens that were neither read from a cache nor written to one.'),
    cache_read: z.int(),
    cache_write: z.int(),
    output: z.int(),
    estimated: z.boolean().describe('Whether some counts are our estimates, because the provider reported none.'),
  }),
  web_searches: z.int(),
  content_expires_at: contentExpiresAt.describe(
    'Until when the conversation is kept; null if it is not kept (see `keep_messages_days`).',
  ),
});

/** The conversation of a message of an organisation that keeps it. */
export type MessageContentJson = JsonOf<typeof messageContentSchema>;
export const messageContentSchema = z.strictObject({
  id: z.string(),
  object: z.literal('message_content'),
  request: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The body as it was sent; null if it was too long to be kept.'),
  answer: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The message, as far as it was delivered; null if nothing was, or if it was too long to be kept.'),
  expires_at: unixSeconds,
});

/** All stored data of one transcription, or of one text of a speech session, except the text itself. */
export type SessionDetails = JsonOf<typeof sessionDetailsSchema>;
export const sessionDetailsSchema = z.strictObject({
  object: z.literal('session'),
  kind: z.enum(['transcription', 'speech']),
  ...common,
  seconds: z.number().exactOptional().describe('Only of a transcription: the charged time.'),
  characters: z.int().exactOptional().describe('Only for speech.'),
  content_expires_at: contentExpiresAt.describe(
    'Until when the text is kept; null if it is not kept (see `keep_speech_days`).',
  ),
});

/** The text of a transcription or a spoken text of an organisation that keeps it. */
export type SessionContentJson = JsonOf<typeof sessionContentSchema>;
export const sessionContentSchema = z.strictObject({
  id: z.string().describe('The id of the transcription or the spoken text.'),
  object: z.literal('session_content'),
  text: z
    .string()
    .nullable()
    .describe(
      'The transcribed text, one line for each final text, or the text to be spoken; null if there was none, or if it was too long to be kept.',
    ),
  expires_at: unixSeconds,
});
