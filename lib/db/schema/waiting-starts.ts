import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { OrgId, VideoId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import { videos } from './videos';
import { instant } from './instant';

/**
 * The videos that wait until an account at a provider may start another one (lib/videos/start-slots.ts). A row may
 * outlive the wait of its video, so queries of this table also check the video.
 */
export const waitingStarts = pgTable(
  'waiting_starts',
  {
    videoId: text('video_id')
      .notNull()
      .$type<VideoId>()
      .references(() => videos.id, { onDelete: 'cascade' }),
    /** The id of the provider and, after a space, that of the credential of an organisation's own account there. */
    account: text().notNull(),
    orgId: text('org_id').notNull().$type<OrgId>(),
    mode: text().notNull().$type<Mode>(),
    /** The creation of the video: a start that failed and waits again keeps its place. */
    createdAt: instant('created_at').notNull(),
    /** When its job was made due for a free slot, by the database's clock; null until then. */
    calledAt: instant('called_at'),
    /** When the provider last refused it although its limits seemed to allow it; null until then. */
    refusedAt: instant('refused_at'),
  },
  (table) => [
    primaryKey({ columns: [table.videoId, table.account] }),
    index('waiting_starts_line').on(table.account, table.orgId, table.mode, table.createdAt, table.videoId),
    index('waiting_starts_called')
      .on(table.account, table.calledAt)
      .where(sql`${table.calledAt} is not null`),
  ],
);
