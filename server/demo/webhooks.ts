import type { Tx } from '../../lib/db/database';
import { listReceivers, type EventReceiver } from '../../lib/db/webhook-endpoints';
import { insertDeliveries, recordAttempt } from '../../lib/db/webhooks';
import { newId } from '../../lib/domain/ids';
import type { Mode } from '../../lib/domain/video';
import type { WebhookMessage } from '../../lib/webhooks/schedule-webhooks';
import type { DemoWork } from './work';

/** Makes endpoints, and writes deliveries in place of those that the product would schedule. */
export function createWebhooks({ gateway, clock, owner, random }: DemoWork) {
  let count = 0;
  return { makeEndpoints, writeDeliveries, count: () => count };

  /** Makes three endpoints: one that works, one that fails sometimes, and one that is paused. */
  async function makeEndpoints(): Promise<void> {
    const make = (mode: Mode, url: string, description: string, events: readonly string[]) =>
      gateway.webhooks.createEndpoint(owner, mode, { url, description, events });
    await make('live', 'https://hooks.example.com/patchbay', 'Production', ['video.completed', 'video.failed']);
    await make('live', 'https://alerts.example.com/failed-videos', 'Alerts for the team on duty', ['video.failed']);
    const staging = await make('test', 'https://staging.example.com/patchbay', 'Staging', ['video.completed']);
    await gateway.webhooks.updateEndpoint(owner, staging.id, { paused: true });
  }

  async function writeDeliveries(tx: Tx, message: WebhookMessage): Promise<void> {
    const { requestedUrl } = message;
    if (requestedUrl !== null) await writeDelivery(tx, message, { id: null, url: requestedUrl, isPaused: false });
    for (const endpoint of await listReceivers(tx, message, message.event)) await writeDelivery(tx, message, endpoint);
  }

  /**
   * Stores a delivery with its attempts. It needs no job: either it has ended, or housekeeping creates one for its next
   * attempt.
   */
  async function writeDelivery(
    tx: Tx,
    { orgId, mode, videoId, event, body }: WebhookMessage,
    { id: endpointId, url, isPaused }: Omit<EventReceiver, 'id'> & { readonly id: EventReceiver['id'] | null },
  ): Promise<void> {
    const deliveryId = newId('delivery');
    const createdMs = clock.nowMs();
    const delivery = { id: deliveryId, orgId, mode, videoId, event, endpointId, url, body: body() };
    const createdAt = clock.now();
    await insertDeliveries(tx, [
      {
        ...delivery,
        createdAt,
        ...(isPaused ? ({ state: 'disabled', finishedAt: createdAt } as const) : { nextAttemptAt: createdAt }),
      },
    ]);
    count += 1;
    if (isPaused) return;
    const luck = random.next();
    const attempts = luck < 0.6 ? 1 : luck < 0.8 ? 3 : 5;
    const isDelivered = luck < 0.75;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const isLast = attempt === attempts;
      const isSuccess = isLast && isDelivered;
      const at = new Date(createdMs + (attempt - 1) ** 2 * 30_000);
      await recordAttempt(
        tx,
        {
          deliveryId,
          attempt,
          at,
          latencyMs: 40 + random.below(400),
          address: '203.0.113.10',
          ...(isSuccess
            ? { status: 200, snippet: 'ok' }
            : random.next() < 0.5
              ? { status: 503, snippet: 'Service Unavailable', error: 'status' }
              : { status: null, error: 'timeout' }),
        },
        {
          state: !isLast ? 'pending' : isDelivered ? 'delivered' : 'failed',
          url,
          nextAttemptAt: isLast ? null : at,
          finishedAt: isLast ? at : null,
        },
      );
    }
  }
}
