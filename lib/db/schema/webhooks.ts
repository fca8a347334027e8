import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { DeliveryId, EndpointId, OrgId, VideoId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import { organizations, type ReplacedSecret } from './accounts';
import { instant } from './instant';

/** `disabled`: the receiver answered 410 and wants no further deliveries, or its endpoint is paused. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'disabled';
export type WebhookEvent = 'video.completed' | 'video.failed';

/** A receiver of the webhooks of all videos of an account, besides the URL that a request may contain. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: text().primaryKey().$type<EndpointId>(),
    orgId: text('org_id')
      .notNull()
      .$type<OrgId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    mode: text().notNull().$type<Mode>(),
    url: text().notNull(),
    description: text().notNull().default(''),
    events: jsonb().notNull().$type<readonly WebhookEvent[]>(),
    /** Sealed, like the replaced secrets, which also sign for a while. */
    secret: text().notNull(),
    replacedSecrets: jsonb('replaced_secrets').notNull().default([]).$type<readonly ReplacedSecret[]>(),
    /** While it is paused, its deliveries are stored and not sent. */
    pausedAt: instant('paused_at'),
    /** `person`: a member or a script paused it · `gone`: it answered 410. */
    pausedBy: text('paused_by').$type<'person' | 'gone'>(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('webhook_endpoints_list').on(table.orgId, table.mode, table.createdAt)],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** Also the `webhook-id` header, the same on every attempt. */
    id: text().primaryKey().$type<DeliveryId>(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    videoId: text('video_id').notNull().$type<VideoId>(),
    event: text().notNull().$type<WebhookEvent>(),
    /** The endpoint, which may have been removed since; null if the URL was part of the request. */
    endpointId: text('endpoint_id').$type<EndpointId>(),
    url: text().notNull(),
    /** The response of GET at that moment, byte for byte; null after the video was deleted. */
    body: text(),
    state: text().notNull().$type<DeliveryState>().default('pending'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_once').on(table.videoId, table.event, sql`coalesce(${table.endpointId}, '')`),
    index('webhook_deliveries_list').on(table.orgId, table.mode, table.createdAt, table.id),
    index('webhook_deliveries_state').on(table.orgId, table.mode, table.state, table.createdAt, table.id),
    index('webhook_deliveries_endpoint')
      .on(table.endpointId, table.createdAt, table.id)
      .where(sql`${table.endpointId} is not null`),
    index('webhook_deliveries_pending')
      .on(table.createdAt)
      .where(sql`${table.state} = 'pending'`),
    // For the deletion by age.
    index('webhook_deliveries_finished')
      .on(table.finishedAt)
      .where(sql`${table.finishedAt} is not null`),
  ],
);

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: text('delivery_id')
      .notNull()
      .$type<DeliveryId>()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    attempt: integer().notNull(),
    at: instant('at').notNull().defaultNow(),
    latencyMs: integer('latency_ms').notNull(),
    status: integer(),
    /** The network address of the connection. */
    address: text(),
    /** At most 1 KiB of the response. */
    snippet: text(),
    /** One word: `timeout`, `refused`, `tls` … */
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.attempt] })],
);
