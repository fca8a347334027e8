import type { z } from 'zod';
import type {
  createEndpointRequestSchema,
  DeliveryJson,
  EndpointJson,
  ReceiverJson,
  ResentJson,
  WebhookSecretJson,
  WebhookTestJson,
} from '../webhooks';

export const deliveryExample: DeliveryJson = {
  id: 'msg_2c4e6a8b0d1f3a5c7e9b0d2f4a6c8e01',
  object: 'webhook_delivery',
  video_id: 'video_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b',
  event: 'video.completed',
  url: 'https://example.com/videos/finished',
  state: 'delivered',
  created_at: 1_795_480_003,
  attempts: [{ attempt: 1, at: 1_795_480_003, latency_ms: 84, status: 204 }],
};

export const endpointRequests: Readonly<Record<string, z.input<typeof createEndpointRequestSchema>>> = {
  failures: { url: 'https://hooks.example.com/patchbay', events: ['video.failed'], description: 'Alerts' },
};
export const endpointExample = {
  id: 'endpoint_6f1e2d3c4b5a69788796a5b4c3d2e1f0',
  object: 'webhook_endpoint',
  mode: 'live',
  url: 'https://hooks.example.com/patchbay',
  description: 'Alerts',
  events: ['video.failed'],
  paused: null,
  paused_at: null,
  created_at: 1_795_480_000,
} as const satisfies EndpointJson;

export const secretExample: WebhookSecretJson = { secret: 'whsec_…' };
export const rotatedSecretExample: WebhookSecretJson = { secret: 'whsec_…', previous_secret_until: 1_795_566_400 };

export const webhookTestExample: WebhookTestJson = {
  object: 'webhook_test',
  delivered: true,
  latency_ms: 84,
  status: 204,
  address: '203.0.113.7',
};
export const receiverExample: ReceiverJson = {
  object: 'webhook_receiver',
  endpoint_id: endpointExample.id,
  url: endpointExample.url,
  health: 'healthy',
  deliveries: { delivered: 41, failed: 0, disabled: 0, pending: 1 },
  latency_ms: 84,
  last_attempt: { at: 1_795_480_003, status: 204 },
};
export const resentExample: ResentJson = { object: 'webhook_deliveries.resent', resent: 100, has_more: true };
