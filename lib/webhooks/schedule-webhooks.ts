import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { newId, type VideoId } from '../domain/ids';
import { noTelemetry, type Telemetry } from '../domain/telemetry';
import type { Tx } from '../db/database';
import type { WebhookEvent } from '../db/schema/index';
import { listReceivers } from '../db/webhook-endpoints';
import { insertDeliveries } from '../db/webhooks';
import { deliveryOwner } from '../jobs/job';
import type { Queue } from '../jobs/queue';

export interface WebhookMessage extends Account {
  readonly videoId: VideoId;
  readonly event: WebhookEvent;
  /** The URL in the request; null if it had none. */
  readonly requestedUrl: string | null;
  /** Returns what GET would return at this moment. It is stored, and every attempt sends it unchanged. */
  body(): string;
}

/**
 * Stores the deliveries of an event and their first jobs, in the transaction that makes the change: one to the URL in
 * the request, and one to each endpoint of the account that wants the event. Deliveries to paused endpoints are stored
 * without a job.
 */
export type ScheduleWebhooks = (tx: Tx, message: WebhookMessage) => Promise<void>;

export function createScheduleWebhooks({
  queue,
  clock,
  telemetry: { tracing } = noTelemetry,
}: {
  queue: Queue;
  clock: Clock;
  telemetry?: Telemetry;
}): ScheduleWebhooks {
  return async function scheduleWebhooks(tx, { orgId, mode, videoId, event, requestedUrl, body }) {
    const receivers = [
      ...(requestedUrl === null ? [] : [{ id: null, url: requestedUrl, isPaused: false }]),
      ...(await listReceivers(tx, { orgId, mode }, event)),
    ];
    if (receivers.length === 0) return;
    const now = clock.now();
    const shared = { orgId, mode, videoId, event, body: body(), createdAt: now };
    const deliveries = receivers.map(({ id, url, isPaused }) => ({
      ...shared,
      id: newId('delivery'),
      endpointId: id,
      url,
      ...(isPaused ? ({ state: 'disabled', finishedAt: now } as const) : { nextAttemptAt: now }),
    }));
    await insertDeliveries(tx, deliveries);
    const trace = tracing.origin(videoId);
    for (const delivery of deliveries)
      if (!('state' in delivery))
        await queue.enqueue(
          tx,
          { kind: 'webhook.deliver', deliveryId: delivery.id, attempt: 1, ...(trace !== undefined && { trace }) },
          deliveryOwner(delivery),
        );
  };
}
