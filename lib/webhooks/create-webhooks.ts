import { eq, sql } from 'drizzle-orm';
import type { Sealer } from '../accounts/seal';
import { newWebhookSecret, webhookSecretOf } from '../accounts/webhook-secret';
import type { Account } from '../domain/caller';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type DeliveryId, type OrgId, type VideoId } from '../domain/ids';
import type { Mode } from '../domain/video';
import type { Database, Db, Tx } from '../db/database';
import { organizations, type WebhookEvent } from '../db/schema/index';
import {
  insertDelivery,
  listDeliveries,
  listDeliveryAttempts,
  reopenDelivery,
  type DeliveryAttemptRow,
  type DeliveryRow,
} from '../db/webhooks';
import type { Queue } from '../jobs/queue';
import type { Webhooks } from './webhooks';
import type { DeliveryJson, WebhookSecretJson } from '../contract/webhooks';

const OVERLAP_MS = 24 * 3_600_000;

export interface WebhookMessage {
  readonly orgId: OrgId;
  readonly mode: Mode;
  readonly videoId: VideoId;
  readonly event: WebhookEvent;
  readonly url: string;
  /** The response of GET at this moment. It is stored, and every attempt sends it unchanged. */
  readonly body: string;
}

/** Stores a delivery and its first job, in the transaction that makes the change. */
export type ScheduleWebhook = (tx: Tx, message: WebhookMessage) => Promise<void>;

export function createScheduleWebhook({ queue, clock }: { queue: Queue; clock: Clock }): ScheduleWebhook {
  return async function scheduleWebhook(tx, message) {
    const id = newId('delivery');
    const now = clock.now();
    await insertDelivery(tx, { id, ...message, createdAt: now, nextAttemptAt: now });
    await queue.enqueue(tx, { kind: 'webhook.deliver', deliveryId: id, attempt: 1 });
  };
}

export function createWebhooks(deps: { db: Database; queue: Queue; clock: Clock; sealer: Sealer }): Webhooks {
  const { db, queue, clock, sealer } = deps;
  return {
    async list(account, videoId) {
      if (videoId !== undefined && !isId('video', videoId)) return [];
      return videoId === undefined
        ? present(db, await listDeliveries(db, account))
        : listDeliveriesOf(db, account, videoId);
    },

    async resend(account, id) {
      const row = await db.inTransaction(async (tx) => {
        const reopened = isId('delivery', id) ? await reopenDelivery(tx, account, id, clock.now()) : undefined;
        if (reopened)
          await queue.enqueue(tx, { kind: 'webhook.deliver', deliveryId: reopened.id, attempt: reopened.attempts + 1 });
        return reopened;
      });
      if (!row)
        throw new GatewayError(
          'delivery_not_found',
          'There is no webhook delivery with this id. GET /v1/videos/{id}/webhook_deliveries lists those of a video.',
        );
      const [delivery] = await present(db, [row]);
      // Safe: `present` returns one delivery for each row.
      return delivery!;
    },

    secret: (orgId) => findSecret(db, sealer, orgId, clock.now()),

    async rotateSecret(orgId) {
      await db.orm
        .update(organizations)
        .set({
          previousWebhookSecret: sql`${organizations.webhookSecret}`,
          previousWebhookSecretUntil: new Date(clock.nowMs() + OVERLAP_MS),
          webhookSecret: sealer.seal(newWebhookSecret(), webhookSecretOf(orgId)),
        })
        .where(eq(organizations.id, orgId));
      return findSecret(db, sealer, orgId, clock.now());
    },
  };
}

/** The secrets that sign now: the current one, and a rotated one until it expires. */
export async function signingSecrets(db: Db, sealer: Sealer, orgId: OrgId, now: Date): Promise<string[]> {
  const [row] = await db.orm.select().from(organizations).where(eq(organizations.id, orgId));
  if (!row) return [];
  const current = sealer.open(row.webhookSecret, webhookSecretOf(orgId));
  const overlaps =
    row.previousWebhookSecret !== null &&
    row.previousWebhookSecretUntil !== null &&
    row.previousWebhookSecretUntil > now;
  return overlaps ? [current, sealer.open(row.previousWebhookSecret ?? '', webhookSecretOf(orgId))] : [current];
}

async function findSecret(db: Db, sealer: Sealer, orgId: OrgId, now: Date): Promise<WebhookSecretJson> {
  const [row] = await db.orm.select().from(organizations).where(eq(organizations.id, orgId));
  if (!row)
    throw new GatewayError(
      'internal_error',
      'The organisation has no webhook secret. Try again, and tell the operator if it stays so.',
    );
  const until = row.previousWebhookSecretUntil;
  return {
    secret: sealer.open(row.webhookSecret, webhookSecretOf(orgId)),
    ...(until && until > now ? { previous_secret_until: unixSeconds(until) } : {}),
  };
}

/** The deliveries of one video of the account, with their attempts. */
export async function listDeliveriesOf(db: Db, account: Account, videoId: VideoId): Promise<DeliveryJson[]> {
  return present(db, await listDeliveries(db, account, videoId));
}

async function present(db: Db, rows: readonly DeliveryRow[]): Promise<DeliveryJson[]> {
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
  const url = new URL(row.url);
  return {
    id: row.id,
    object: 'webhook_delivery',
    video_id: row.videoId,
    event: row.event,
    url: url.origin + url.pathname,
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
