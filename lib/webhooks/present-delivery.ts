import type { DeliveryJson } from '../contract/webhooks';
import type { Account } from '../domain/caller';
import { unixSeconds } from '../domain/clock';
import type { DeliveryId, VideoId } from '../domain/ids';
import type { Db } from '../db/database';
import { listDeliveries, listDeliveryAttempts, type DeliveryAttemptRow, type DeliveryRow } from '../db/webhooks';

// Deliveries as the API shows them, with their attempts.

/** Returns the deliveries of one video of the account. */
export async function listDeliveriesOf(db: Db, account: Account, videoId: VideoId): Promise<DeliveryJson[]> {
  return presentDeliveries(db, await listDeliveries(db, account, videoId));
}

export async function presentDeliveries(db: Db, rows: readonly DeliveryRow[]): Promise<DeliveryJson[]> {
  const attempts = new Map<DeliveryId, DeliveryAttemptRow[]>();
  for (const attempt of await listDeliveryAttempts(
    db,
    rows.map(({ id }) => id),
  )) {
    attempts.set(attempt.deliveryId, [...(attempts.get(attempt.deliveryId) ?? []), attempt]);
  }
  return rows.map((row) => presentDelivery(row, attempts.get(row.id) ?? []));
}

function presentDelivery(row: DeliveryRow, attempts: readonly DeliveryAttemptRow[]): DeliveryJson {
  return {
    id: row.id,
    object: 'webhook_delivery',
    video_id: row.videoId,
    event: row.event,
    ...(row.endpointId !== null && { endpoint_id: row.endpointId }),
    url: shownUrl(row.url),
    state: row.state,
    created_at: unixSeconds(row.createdAt),
    ...(row.nextAttemptAt && { next_attempt_at: unixSeconds(row.nextAttemptAt) }),
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      at: unixSeconds(attempt.at),
      latency_ms: attempt.latencyMs,
      ...(attempt.status !== null && { status: attempt.status }),
      ...(attempt.address !== null && { address: attempt.address }),
      ...(attempt.snippet !== null && { response: attempt.snippet }),
      ...(attempt.error !== null && { error: attempt.error }),
    })),
  };
}

/** Returns only origin and path: the query may contain secrets. */
function shownUrl(text: string): string {
  const url = new URL(text);
  return url.origin + url.pathname;
}
