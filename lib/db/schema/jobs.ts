import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { OrgId } from '../../domain/ids';
import type { Mode } from '../../domain/video';
import { instant } from './instant';

/**
 * The durable jobs (lib/jobs). A row waits until it is due, then waits in line for its turn, and then has a lease while a
 * process runs it. It is deleted when the job has ended. All times come from the database's clock.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    /** Live jobs are claimed before test jobs; the alphabetical order of the two words is used for that. */
    mode: text().notNull().$type<Mode>(),
    /** The organisation of the job. Organisations take turns. */
    orgId: text('org_id').notNull().$type<OrgId>(),
    /** What the job waits for, such as a provider: it may occupy only a share of a process. */
    place: text().notNull(),
    payload: jsonb().notNull().$type<Record<string, unknown>>(),
    /** The id of the video, the delivery or the alert. */
    subject: text().notNull(),
    /**
     * The position in the line of its kind, place and mode. Null until the job is due, and for a short time after that.
     */
    turn: bigint({ mode: 'bigint' }),
    /** For a leased job: when it is due again, if it was made due while it ran. */
    dueAt: instant('due_at'),
    /** The end of its last run, or its creation. */
    waitsSince: instant('waits_since').notNull().defaultNow(),
    /** Until then the job belongs to the process that runs it; null while it waits. */
    leasedUntil: instant('leased_until'),
    /** Incremented each time it is claimed, so that a runner knows whether the lease is still its own. */
    run: integer().notNull().default(0),
    /** Runs in a row without an outcome. */
    failures: integer().notNull().default(0),
  },
  (table) => {
    const waits = sql`${table.leasedUntil} is null`;
    const isInLine = sql`${waits} and ${table.turn} is not null`;
    return [
      index('jobs_due')
        .on(table.kind, table.dueAt)
        .where(sql`${waits} and ${table.turn} is null`),
      index('jobs_line').on(table.kind, table.place, table.mode, table.turn).where(isInLine),
      // For the last turn of an organisation. `org_id` is the first column, so that this index is never used for the
      // order of a line.
      index('jobs_line_org').on(table.orgId, table.kind, table.place, table.mode, table.turn).where(isInLine),
      index('jobs_leased')
        .on(table.leasedUntil)
        .where(sql`${table.leasedUntil} is not null`),
      index('jobs_subject').on(table.subject),
      // Each video has only one chain of checks, or of copies. The kinds are those of `jobRules` with `isSingle`.
      uniqueIndex('jobs_single')
        .on(table.subject, table.kind)
        .where(sql`${waits} and ${table.kind} in ('video.check', 'video.archive')`),
    ];
  },
);
