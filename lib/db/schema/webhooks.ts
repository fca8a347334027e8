import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { DeliveryId, OrgId, VideoId } from '../../domain/ids';
import type { Mode } from '../../domain/video';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** `disabled`: the receiver answered 410 and wants no further deliveries. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'disabled';
export type WebhookEvent = 'video.completed' | 'video.failed';

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** Also the `webhook-id` header, the same on every attempt. */
    id: text().primaryKey().$type<DeliveryId>(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    videoId: text('video_id').notNull().$type<VideoId>(),
    event: text().notNull().$type<WebhookEvent>(),
    url: text().notNull(),
    /** Byte for byte the response of GET at that moment; null after the video was deleted. */
    body: text(),
    state: text().notNull().$type<DeliveryState>().default('pending'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_video').on(table.videoId, table.event),
    index('webhook_deliveries_list').on(table.orgId, table.mode, table.createdAt, table.id),
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
    /** The address of the connection. */
    address: text(),
    /** At most 1 KiB of the response. */
    snippet: text(),
    /** One word: `timeout`, `refused`, `tls` … */
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.attempt] })],
);
