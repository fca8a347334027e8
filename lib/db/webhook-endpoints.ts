import { and, asc, eq } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { EndpointId, OrgId } from '../domain/ids';
import type { Database, Db, Tx } from './database';
import { webhookDeliveries, webhookEndpoints, type DeliveryState, type WebhookEvent } from './schema/index';

// The endpoints of accounts, and how the receivers of their webhooks have answered.

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/** Lists the endpoints of an account, oldest first. */
export async function listEndpoints(db: Db, { orgId, mode }: Account): Promise<EndpointRow[]> {
  return db.orm
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.orgId, orgId), eq(webhookEndpoints.mode, mode)))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
}

export async function findEndpoint(db: Db, orgId: OrgId, id: EndpointId): Promise<EndpointRow | undefined> {
  const [row] = await db.orm.select().from(webhookEndpoints).where(isOf(orgId, id));
  return row;
}

/** Finds an endpoint and locks it until the transaction ends. */
export async function lockEndpoint(tx: Tx, orgId: OrgId, id: EndpointId): Promise<EndpointRow | undefined> {
  const [row] = await tx.orm.select().from(webhookEndpoints).where(isOf(orgId, id)).for('no key update');
  return row;
}

export async function insertEndpoint(tx: Tx, row: typeof webhookEndpoints.$inferInsert): Promise<void> {
  await tx.orm.insert(webhookEndpoints).values(row);
}

export async function updateEndpoint(
  db: Db,
  id: EndpointId,
  change: Partial<typeof webhookEndpoints.$inferInsert>,
): Promise<EndpointRow | undefined> {
  const [row] = await db.orm.update(webhookEndpoints).set(change).where(eq(webhookEndpoints.id, id)).returning();
  return row;
}

/** Removes an endpoint. Its deliveries stay in the list. */
export async function removeEndpoint(tx: Tx, id: EndpointId): Promise<void> {
  await tx.orm.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id));
}

/** Ends the pending deliveries of an endpoint that is paused or removed. */
export async function endDeliveriesOf(
  tx: Tx,
  id: EndpointId,
  state: Extract<DeliveryState, 'disabled' | 'failed'>,
  at: Date,
): Promise<void> {
  await tx.orm
    .update(webhookDeliveries)
    .set({ state, nextAttemptAt: null, finishedAt: at })
    .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.state, 'pending')));
}

/** The maximum number of deliveries that one statement ends. */
const ENDED_AT_ONCE = 1_000;

/**
 * Ends pending deliveries in small steps, before a transaction that ends the rest: a receiver that was down for days
 * may have a million of them, and one statement for all would take longer than a statement may.
 */
export async function endMostDeliveriesOf(
  db: Database,
  id: EndpointId,
  state: Extract<DeliveryState, 'disabled' | 'failed'>,
  at: Date,
): Promise<void> {
  for (let ended: number | null = ENDED_AT_ONCE; ended === ENDED_AT_ONCE;) {
    const { rowCount } = await db.query(
      `update webhook_deliveries set state = $2, next_attempt_at = null, finished_at = $3 where id = any(array(
         select id from webhook_deliveries where endpoint_id = $1 and state = 'pending' limit $4 for update skip locked))`,
      [id, state, at.toISOString(), ENDED_AT_ONCE],
    );
    ended = rowCount;
  }
}

const isOf = (orgId: OrgId, id: EndpointId) => and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.orgId, orgId));

/** A receiver of an event that is to be sent. */
export interface EventReceiver {
  readonly id: EndpointId;
  readonly url: string;
  readonly isPaused: boolean;
}

/** Returns the endpoints of an account that subscribe to an event. */
export async function listReceivers(
  db: Db,
  { orgId, mode }: Account,
  event: WebhookEvent,
): Promise<readonly EventReceiver[]> {
  const { rows } = await db.query(
    `select id, url, paused_at is not null as paused from webhook_endpoints
     where org_id = $1 and mode = $2 and events ? $3`,
    [orgId, mode, event],
  );
  // Safe: the columns are those of the statement.
  return rows.map(({ id, url, paused }) => ({ id: id as EndpointId, url: String(url), isPaused: paused === true }));
}

/** A delivery and its last attempt, for the health of its receiver. */
export interface RecentDelivery {
  readonly endpointId: EndpointId | null;
  readonly url: string;
  readonly state: DeliveryState;
  /** Absent before the first attempt. */
  readonly attempt?: {
    readonly at: Date;
    readonly latencyMs: number;
    readonly status: number | null;
    readonly error: string | null;
  };
}

/** Selects the deliveries to URLs of requests among the newest $3 of the account. */
const TO_REQUESTED = `select id, endpoint_id, url, state, attempts, created_at from (
    select * from webhook_deliveries where org_id = $1 and mode = $2 order by created_at desc, id desc limit $3
  ) newest where endpoint_id is null`;

/** Selects the newest $4 deliveries to each endpoint. */
const TO_ENDPOINTS = `select d.* from webhook_endpoints e cross join lateral (
    select id, endpoint_id, url, state, attempts, created_at from webhook_deliveries
    where endpoint_id = e.id order by created_at desc, id desc limit $4
  ) d where e.org_id = $1 and e.mode = $2`;

/**
 * Lists the newest deliveries of an account, newest first. The number is bounded, so that old deliveries cost nothing.
 */
export async function listRecentDeliveries(db: Db, { orgId, mode }: Account): Promise<readonly RecentDelivery[]> {
  const { rows } = await db.query(
    `select d.endpoint_id, d.url, d.state, a.at, a.latency_ms, a.status, a.error
     from ((${TO_REQUESTED}) union all (${TO_ENDPOINTS})) d
     left join lateral (
       select * from webhook_attempts where delivery_id = d.id and attempt = d.attempts limit 1
     ) a on true
     order by d.created_at desc, d.id desc`,
    [orgId, mode, RECENT, RECENT_OF_ENDPOINT],
  );
  // Safe: the columns are those of the statement.
  return rows.map((row) => ({
    endpointId: row['endpoint_id'] as EndpointId | null,
    url: String(row['url']),
    state: row['state'] as DeliveryState,
    ...(row['at'] !== null && {
      attempt: {
        at: row['at'] as Date,
        latencyMs: Number(row['latency_ms']),
        status: row['status'] as number | null,
        error: row['error'] as string | null,
      },
    }),
  }));
}

const RECENT = 1_000;
const RECENT_OF_ENDPOINT = 100;
