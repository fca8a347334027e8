import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import { noTelemetry, type Telemetry } from '../domain/telemetry';
import type { Database } from '../db/database';
import type { DeliveryId } from '../domain/ids';
import { endMostDeliveriesOf, lockEndpoint, updateEndpoint } from '../db/webhook-endpoints';
import { endDelivery, findDelivery, recordAttempt } from '../db/webhooks';
import { deliveryOwner, type JobHandler } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import type { Outbound } from '../net/safe-fetch';
import { nextAttemptDelayMs } from './attempt-schedule';
import { postWebhook } from './post-webhook';
import type { SigningSecrets } from './signing-secrets';

// `webhook.deliver`: one attempt. The job contains the number of its attempt; if the delivery has a higher number (it
// was resent by hand, or this job runs a second time), the job does nothing. A crash between the response and its
// record leads to one more attempt with the same id, which receivers of any webhook must expect.

export function createDeliverWebhook(deps: {
  db: Database;
  queue: Queue;
  clock: Clock;
  log: Log;
  secrets: SigningSecrets;
  outbound: Outbound;
  random: () => number;
  telemetry?: Telemetry;
}): JobHandler<'webhook.deliver'> {
  const { db, queue, clock, log, outbound, random, telemetry: { metrics, tracing } = noTelemetry } = deps;

  return async function deliverWebhook({ deliveryId, attempt }, signal) {
    const delivery = await findDelivery(db, deliveryId);
    if (!delivery || delivery.state !== 'pending' || delivery.attempts !== attempt - 1 || delivery.body === null)
      return 'done';
    const { id, orgId, endpointId, url, event, body } = delivery;
    const now = clock.now();
    // Stored or resent while the endpoint was being paused, by a transaction that did not see it yet.
    if (delivery.isPaused) {
      await endDelivery(db, id, 'disabled', now);
      return 'done';
    }
    const secrets = await deps.secrets.signing({ orgId, endpointId });
    // There is no secret because the endpoint was removed. Fail: receivers cannot tell unsigned deliveries from forged
    // ones.
    if (secrets.length === 0) {
      await endDelivery(db, id, 'failed', now);
      return 'done';
    }
    const answer = await tracing.within(
      deliveryId,
      'webhook',
      { 'patchbay.event': event, 'patchbay.attempt': attempt },
      (traceparent) => postWebhook(outbound, { url, id, event, attempt, body, secrets, now, signal, traceparent }),
    );
    metrics.webhookSent({ outcome: answer.outcome, ms: answer.latencyMs });

    const isEndpointGone = await db.inTransaction(async (tx) => {
      // Lock the endpoint before its deliveries, as every change does: several attempts may pause it at once.
      const endpoint =
        answer.outcome === 'gone' && endpointId !== null ? await lockEndpoint(tx, orgId, endpointId) : undefined;
      // If its URL was changed during the attempt, the receiver at the new one has not answered yet.
      const hasNewUrl = endpoint !== undefined && endpoint.url !== url;
      const pauseMs = answer.outcome === 'failed' || hasNewUrl ? nextAttemptDelayMs(attempt, random) : undefined;
      const delayMs = pauseMs === undefined ? undefined : Math.max(pauseMs, answer.retryAfterMs ?? 0);
      const state =
        answer.outcome === 'delivered'
          ? 'delivered'
          : answer.outcome === 'gone' && !hasNewUrl
            ? 'disabled'
            : delayMs === undefined
              ? 'failed'
              : 'pending';
      const recorded = await recordAttempt(
        tx,
        {
          deliveryId,
          attempt,
          at: now,
          latencyMs: answer.latencyMs,
          status: answer.status ?? null,
          address: answer.address ?? null,
          snippet: answer.snippet ?? null,
          error: answer.error ?? null,
        },
        {
          state,
          url,
          nextAttemptAt: delayMs === undefined ? null : new Date(clock.nowMs() + delayMs),
          finishedAt: delayMs === undefined ? clock.now() : null,
        },
      );
      const isGone = recorded !== 'known' && state === 'disabled' && endpoint !== undefined;
      if (isGone) await updateEndpoint(tx, endpoint.id, { pausedAt: now, pausedBy: 'gone' });
      if (recorded === 'moved' && delayMs !== undefined)
        await queue.enqueue(
          tx,
          { kind: 'webhook.deliver', deliveryId, attempt: attempt + 1 },
          deliveryOwner(delivery),
          delayMs,
        );
      return isGone;
    });
    // The receiver wants no further deliveries, so the waiting ones are not sent either. If this process ends before
    // that, each of them ends when its job runs.
    if (isEndpointGone && endpointId !== null) await endMostDeliveriesOf(db, endpointId, 'disabled', now);
    log.info('a webhook was sent', {
      deliveryId,
      videoId: delivery.videoId,
      attempt,
      code: answer.error ?? answer.outcome,
      ms: answer.latencyMs,
      ...(answer.status === undefined ? {} : { status: answer.status }),
    });
    return 'done';
  };
}

/**
 * Ends a delivery whose job fails on our side repeatedly, for example because its secret cannot be opened. It can be
 * resent by hand.
 */
export function createGiveUpDelivery({
  db,
  log,
  clock,
}: {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
}) {
  return async function giveUpDelivery({ deliveryId }: { readonly deliveryId: DeliveryId }): Promise<void> {
    log.error('a webhook was given up, because its job failed too often', { deliveryId });
    await endDelivery(db, deliveryId, 'failed', clock.now());
  };
}
