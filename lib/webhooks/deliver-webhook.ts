import type { Sealer } from '../accounts/seal';
import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import type { DeliveryId } from '../domain/ids';
import { failDelivery, findDelivery, recordAttempt } from '../db/webhooks';
import type { JobHandler } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import type { Outbound } from '../net/safe-fetch';
import { nextAttemptDelayMs } from './attempt-schedule';
import { signingSecrets } from './create-webhooks';
import { postWebhook } from './post-webhook';

// `webhook.deliver`: one attempt. The job names the attempt that it is; whoever finds the delivery further on (it was resent by
// hand, or this job runs a second time) has nothing to do. A crash between the answer and its record leads to one attempt more
// with the same id, which receivers must expect of any webhook.

/** Deliveries to one host at the same time; a slow one must not take the places of the others. */
const PARALLEL_PER_HOST = 5;
/** The pause of a delivery that found no place; doubles each time, so that thousands that wait for a slow host do not turn the queue. */
const HOST_BUSY_MS = 1_000;
const MAX_HOST_BUSY_MS = 60_000;

export function createDeliverWebhook(deps: {
  db: Database;
  queue: Queue;
  clock: Clock;
  log: Log;
  sealer: Sealer;
  outbound: Outbound;
  random: () => number;
}): JobHandler<'webhook.deliver'> {
  const { db, queue, clock, log, sealer, outbound, random } = deps;
  const inFlight = new Map<string, number>();

  return async function deliverWebhook({ deliveryId, attempt, turnedAway = 0 }, signal) {
    const delivery = await findDelivery(db, deliveryId);
    if (!delivery || delivery.state !== 'pending' || delivery.attempts !== attempt - 1 || delivery.body === null)
      return 'done';
    const { id, orgId, url, event, body } = delivery;
    const now = clock.now();
    const answer = await inPlaceOf(`${orgId} ${new URL(url).host}`, async () => {
      const secrets = await signingSecrets(db, sealer, orgId, now);
      return postWebhook(outbound, { url, id, event, attempt, body, secrets, now, signal });
    });
    if (!answer)
      return {
        againInMs: Math.min(HOST_BUSY_MS * 2 ** turnedAway, MAX_HOST_BUSY_MS) * (1 + random()),
        with: { turnedAway: turnedAway + 1 },
      };

    const pauseMs = answer.outcome === 'failed' ? nextAttemptDelayMs(attempt, random) : undefined;
    const delayMs = pauseMs === undefined ? undefined : Math.max(pauseMs, answer.retryAfterMs ?? 0);
    const state =
      answer.outcome === 'delivered'
        ? 'delivered'
        : answer.outcome === 'gone'
          ? 'disabled'
          : delayMs === undefined
            ? 'failed'
            : 'pending';
    await db.inTransaction(async (tx) => {
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
          nextAttemptAt: delayMs === undefined ? null : new Date(clock.nowMs() + delayMs),
          finishedAt: delayMs === undefined ? clock.now() : null,
        },
      );
      if (recorded && delayMs !== undefined)
        await queue.enqueue(tx, { kind: 'webhook.deliver', deliveryId, attempt: attempt + 1 }, delayMs);
    });
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

  /** Runs `post` in one of the host's places; undefined, and nothing was run, when all are taken. */
  async function inPlaceOf<T>(host: string, post: () => Promise<T>): Promise<T | undefined> {
    const taken = inFlight.get(host) ?? 0;
    if (taken >= PARALLEL_PER_HOST) return undefined;
    // Before anything is awaited: jobs come in batches, and each must see the places that the others took.
    inFlight.set(host, taken + 1);
    try {
      return await post();
    } finally {
      const left = (inFlight.get(host) ?? 1) - 1;
      if (left > 0) inFlight.set(host, left);
      else inFlight.delete(host);
    }
  }
}

/** Ends a delivery whose job fails here again and again, such as one whose secret cannot be opened. It can be resent by hand. */
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
    await failDelivery(db, deliveryId, clock.now());
  };
}
