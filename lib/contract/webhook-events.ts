import { z } from 'zod';
import { failedVideoExample, videoExample } from './examples/videos';
import type { JsonOf } from './fields';
import { videoSchema } from './videos';
import { webhookEvents } from './webhooks';

// What we send to the receivers of webhooks.

interface WebhookEvent {
  readonly event: (typeof webhookEvents)[number];
  readonly summary: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  readonly body: z.ZodType;
  readonly example: JsonOf<typeof videoSchema>;
}

const headers: WebhookEvent['headers'] = {
  'webhook-id': {
    description: 'The id of the delivery, the same for every attempt.',
    schema: z.string(),
  },
  'webhook-timestamp': { description: 'Unix seconds of the attempt.', schema: z.string().regex(/^\d+$/) },
  'webhook-signature': {
    description: 'One or more signatures `v1,…`, separated by spaces, as in Standard Webhooks.',
    schema: z.string(),
  },
  'x-patchbay-event': { description: 'The event.', schema: z.enum(webhookEvents) },
  'x-patchbay-attempt': { description: 'The number of the attempt, from 1.', schema: z.string().regex(/^\d+$/) },
};

const DELIVERY =
  'The body is that of `GET /v1/videos/{id}`. It is sent to the `webhook` of the request and to the endpoints of the organisation.';

export const webhooks: readonly WebhookEvent[] = [
  {
    event: 'video.completed',
    summary: 'A video is completed',
    description: DELIVERY,
    headers,
    body: videoSchema,
    example: videoExample,
  },
  {
    event: 'video.failed',
    summary: 'A video has failed',
    description: DELIVERY,
    headers,
    body: videoSchema,
    example: failedVideoExample,
  },
];
