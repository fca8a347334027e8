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

// `webhook.deliver`: one attempt. The job contains the number of its attempt; if the delivery has a higher number (it
// was resent by hand, or this job runs a second time), the job does nothing. A crash between the response and its
// record leads to one more attempt with the same id, which receivers of any webhook must expect.

/** Concurrent deliveries to one host; a slow host must not use the slots of the others. */
const PARALLEL_PER_HOST = 5;
/**
 * The pause of a delivery that found no free slot. It doubles each time, so that thousands of deliveries to a slow host
 * do not keep the queue busy.
 */
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

  /** Runs `post` in one of the host's slots; undefined, without running it, when all are in use. */
  async function inPlaceOf<T>(host: string, post: () => Promise<T>): Promise<T | undefined> {
    const taken = inFlight.get(host) ?? 0;
    if (taken >= PARALLEL_PER_HOST) return undefined;
    // Before the first await: jobs arrive in batches, and each must see the slots that the others have taken.
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
    await failDelivery(db, deliveryId, clock.now());
  };
}
