import { z } from 'zod';
import { LAST_SECOND } from '../domain/clock';
import { listOf, modeSchema, pageWithIdsOf, unixSeconds, type JsonOf } from './fields';

// Deliveries of webhooks, the endpoints that receive them, and the secrets that sign them. The body of a delivery is the
// video (see videos.ts).

export const webhookEvents = ['video.completed', 'video.failed'] as const;
export const deliveryStates = ['pending', 'delivered', 'failed', 'disabled'] as const;
const eventSchema = z.enum(webhookEvents);

export type DeliveryAttemptJson = JsonOf<typeof deliveryAttemptSchema>;
const deliveryAttemptSchema = z.strictObject({
  attempt: z.int(),
  at: unixSeconds,
  latency_ms: z.int(),
  status: z.int().exactOptional(),
  address: z.string().exactOptional(),
  response: z.string().exactOptional().describe('The beginning of the response.'),
  error: z.string().exactOptional(),
});

export type DeliveryJson = JsonOf<typeof deliverySchema>;
export const deliverySchema = z.strictObject({
  id: z.string(),
  object: z.literal('webhook_delivery'),
  video_id: z.string(),
  event: eventSchema,
  endpoint_id: z.string().exactOptional().describe('Absent if the URL was part of the request.'),
  url: z.string().describe('Origin and path; the query may hold secrets and is left out.'),
  state: z
    .enum(deliveryStates)
    .describe('disabled: not sent, or no longer sent, because the receiver answered 410 or its endpoint is paused.'),
  created_at: unixSeconds,
  next_attempt_at: unixSeconds.exactOptional(),
  attempts: z.array(deliveryAttemptSchema),
});
export type DeliveryPageJson = JsonOf<typeof deliveryPageSchema>;
export const deliveryPageSchema = pageWithIdsOf(deliverySchema);

/** Selects the ended deliveries to send again. */
export const resendRequestSchema = z.strictObject({
  states: z
    .array(z.enum(['failed', 'disabled']), 'states must be a list of "failed" and "disabled".')
    .min(1, 'states must name "failed", "disabled" or both.')
    .default(['failed', 'disabled']),
  endpoint_id: z.string('endpoint_id must be the id of an endpoint.').exactOptional(),
  created_from: unixSeconds.max(LAST_SECOND).exactOptional(),
  created_to: unixSeconds.max(LAST_SECOND).exactOptional(),
});
export type ResentJson = JsonOf<typeof resentSchema>;
export const resentSchema = z.strictObject({
  object: z.literal('webhook_deliveries.resent'),
  resent: z.int(),
  has_more: z.boolean().describe('Whether more deliveries match: send the same request again.'),
});

export type EndpointJson = JsonOf<typeof endpointSchema>;
export const endpointSchema = z.strictObject({
  id: z.string(),
  object: z.literal('webhook_endpoint'),
  mode: modeSchema,
  url: z.string(),
  description: z.string(),
  events: z.array(eventSchema),
  paused: z
    .enum(['person', 'gone'])
    .nullable()
    .describe(
      'null: it is not paused. person: a user paused it. gone: it answered 410. Its deliveries can be resent once it is resumed.',
    ),
  paused_at: unixSeconds.nullable(),
  created_at: unixSeconds,
});
export type EndpointListJson = JsonOf<typeof endpointListSchema>;
export const endpointListSchema = listOf(endpointSchema);

const MAX_DESCRIPTION_CHARS = 200;
const url = z.string('url must be a text, such as "https://example.com/webhooks".');
const events = z
  .array(z.enum(webhookEvents, 'events may contain "video.completed" and "video.failed".'), 'events must be a list.')
  .min(1, 'events must contain "video.completed", "video.failed" or both.')
  .refine((list) => new Set(list).size === list.length, 'events contains an event twice.');
const description = z
  .string('description must be a text.')
  .max(MAX_DESCRIPTION_CHARS, `description may have at most ${MAX_DESCRIPTION_CHARS} characters.`)
  .refine((text) => !text.includes('\0'), 'description contains a NUL character. Remove it.');

export const createEndpointRequestSchema = z.strictObject({
  url,
  events: events.default([...webhookEvents]),
  description: description.default(''),
});
export const updateEndpointRequestSchema = z.strictObject({
  url: url.exactOptional(),
  events: events.exactOptional(),
  description: description.exactOptional(),
  paused: z.boolean('paused must be true or false.').exactOptional(),
});

/** The response of a receiver to an example. */
export type WebhookTestJson = JsonOf<typeof webhookTestSchema>;
export const webhookTestSchema = z.strictObject({
  object: z.literal('webhook_test'),
  delivered: z.boolean().describe('Whether the receiver answered with a 2xx status.'),
  latency_ms: z.int(),
  status: z.int().exactOptional(),
  address: z.string().exactOptional(),
  response: z.string().exactOptional().describe('The beginning of the response.'),
  error: z.string().exactOptional(),
});

export type ReceiverJson = JsonOf<typeof receiverSchema>;
const receiverSchema = z.strictObject({
  object: z.literal('webhook_receiver'),
  endpoint_id: z.string().exactOptional().describe('The endpoint; absent for URLs in requests.'),
  url: z
    .string()
    .describe('The URL of the endpoint; for URLs in requests only the origin, such as "https://example.com".'),
  health: z
    .enum(['unused', 'healthy', 'failing'])
    .describe('The health by the newest attempt. unused: there was no attempt yet.'),
  deliveries: z
    .strictObject({ delivered: z.int(), failed: z.int(), disabled: z.int(), pending: z.int() })
    .describe('Counts among its newest deliveries.'),
  latency_ms: z.int().exactOptional().describe('The median of the newest attempts of these deliveries.'),
  last_attempt: deliveryAttemptSchema.pick({ at: true, status: true, error: true }).exactOptional(),
});
export type ReceiverListJson = JsonOf<typeof receiverListSchema>;
export const receiverListSchema = listOf(receiverSchema);

export type WebhookSecretJson = JsonOf<typeof webhookSecretSchema>;
export const webhookSecretSchema = z.strictObject({
  secret: z.string().describe('The signing secret, "whsec_…".'),
  previous_secret_until: unixSeconds.exactOptional().describe('Until then the old secret also signs.'),
});
