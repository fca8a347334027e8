import { eq } from 'drizzle-orm';
import type { Sealer } from '../accounts/seal';
import { newWebhookSecret, webhookSecretOf } from '../accounts/webhook-secret';
import type { Account } from '../domain/caller';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type DeliveryId, type OrgId, type VideoId } from '../domain/ids';
import type { Mode } from '../domain/video';
import type { Database, Db, Tx } from '../db/database';
import { organizations, type ReplacedSecret, type WebhookEvent } from '../db/schema/index';
import {
  insertDelivery,
  listDeliveries,
  listDeliveryAttempts,
  reopenDelivery,
  type DeliveryAttemptRow,
  type DeliveryRow,
} from '../db/webhooks';
import { deliveryOwner } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import type { Webhooks } from './webhooks';
import type { DeliveryJson, WebhookSecretJson } from '../contract/webhooks';

/** How long a replaced secret also signs. */
const OVERLAP_MS = 24 * 3_600_000;
/** Each secret adds a signature to every webhook. */
const MAX_SECRETS = 10;

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
    await queue.enqueue(tx, { kind: 'webhook.deliver', deliveryId: id, attempt: 1 }, deliveryOwner(message));
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
          await queue.enqueue(
            tx,
            { kind: 'webhook.deliver', deliveryId: reopened.id, attempt: reopened.attempts + 1 },
            deliveryOwner(reopened),
          );
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
      const now = clock.now();
      await db.inTransaction(async (tx) => {
        // Locked, so that of two rotations at the same time neither drops the other one's secret.
        const [row] = await tx.orm.select().from(organizations).where(eq(organizations.id, orgId)).for('no key update');
        if (!row) return;
        const replaced = replacedSecrets(row, now);
        const [first] = replaced;
        if (first && replaced.length + 1 >= MAX_SECRETS) throw tooManySecrets(first, now);
        await tx.orm
          .update(organizations)
          .set({
            olderWebhookSecrets: replaced,
            previousWebhookSecret: row.webhookSecret,
            previousWebhookSecretUntil: new Date(now.getTime() + OVERLAP_MS),
            webhookSecret: sealer.seal(newWebhookSecret(), webhookSecretOf(orgId)),
          })
          .where(eq(organizations.id, orgId));
      });
      return findSecret(db, sealer, orgId, now);
    },
  };
}

/** The secrets that sign now: the current one, and replaced ones until they expire. */
export async function signingSecrets(db: Db, sealer: Sealer, orgId: OrgId, now: Date): Promise<string[]> {
  const [row] = await db.orm.select().from(organizations).where(eq(organizations.id, orgId));
  if (!row) return [];
  const sealed = [row.webhookSecret, ...replacedSecrets(row, now).map(({ secret }) => secret)];
  return sealed.map((secret) => sealer.open(secret, webhookSecretOf(orgId)));
}

/** The replaced secrets that still sign, in the order in which they expire. */
function replacedSecrets(row: typeof organizations.$inferSelect, now: Date): readonly ReplacedSecret[] {
  const { olderWebhookSecrets: older, previousWebhookSecret: secret, previousWebhookSecretUntil: until } = row;
  const all = secret !== null && until !== null ? [...older, { secret, until: until.toISOString() }] : older;
  return all.filter((replaced) => new Date(replaced.until) > now);
}

function tooManySecrets({ until }: ReplacedSecret, now: Date): GatewayError {
  return new GatewayError(
    'rate_limit_exceeded',
    `The secret was rotated ${MAX_SECRETS - 1} times within 24 hours, and each replaced secret signs for 24 hours. Rotate it again after ${until}.`,
    { retryAfterSeconds: Math.ceil((Date.parse(until) - now.getTime()) / 1_000) },
  );
}

async function findSecret(db: Db, sealer: Sealer, orgId: OrgId, now: Date): Promise<WebhookSecretJson> {
  const [row] = await db.orm.select().from(organizations).where(eq(organizations.id, orgId));
  if (!row)
    throw new GatewayError(
      'internal_error',
      'The organisation has no webhook secret. Try again, and tell the operator if it stays so.',
    );
  const last = replacedSecrets(row, now).at(-1);
  return {
    secret: sealer.open(row.webhookSecret, webhookSecretOf(orgId)),
    ...(last ? { previous_secret_until: unixSeconds(new Date(last.until)) } : {}),
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
