import { z } from 'zod';
import { listOf, pageWithIdsOf, unixSeconds, type JsonOf } from './fields';

// Deliveries of webhooks, and the secret that signs them. The body of a delivery is the video (see videos.ts).

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
  event: z.enum(['video.completed', 'video.failed']),
  url: z.string().describe('Origin and path; the query may hold secrets and is left out.'),
  state: z.enum(['pending', 'delivered', 'failed', 'disabled']),
  created_at: unixSeconds,
  next_attempt_at: unixSeconds.exactOptional(),
  attempts: z.array(deliveryAttemptSchema),
});
/** Of one video. */
export type DeliveryListJson = JsonOf<typeof deliveryListSchema>;
export const deliveryListSchema = pageWithIdsOf(deliverySchema);
/** For the console: of one video or of the whole account. */
export type ConsoleDeliveryListJson = JsonOf<typeof consoleDeliveryListSchema>;
export const consoleDeliveryListSchema = listOf(deliverySchema);

export type WebhookSecretJson = JsonOf<typeof webhookSecretSchema>;
export const webhookSecretSchema = z.strictObject({
  secret: z.string().describe('The signing secret, "whsec_…".'),
  previous_secret_until: unixSeconds.exactOptional().describe('Until then the old secret also signs.'),
});
