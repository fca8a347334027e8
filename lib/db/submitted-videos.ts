import { and, desc, eq, getTableColumns, gt, isNull, lte, notExists, or } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import type { KeyId, VideoId } from '../domain/ids';
import type { Db } from './database';
import type { PartialInsert } from './sql';
import { idempotencyKeys, organizations, videos } from './schema/index';
import { videoColumns, type VideoRow } from './videos';

// What is stored of a submission besides its hold and its job, and how a repeated submission is recognised.

/** The columns that a submission sets; the others have their defaults. */
const submittedNames = [
  'id',
  'orgId',
  'keyId',
  'mode',
  'requestId',
  'model',
  'candidates',
  'order',
  'catalogEntry',
  'request',
  'ignoredParams',
  'scenario',
  'seconds',
  'size',
  'quoteNanoUsd',
  'quoteLines',
  'deadlineAt',
  'deadlineSeconds',
  'webhookUrl',
  'bodyHash',
  'createdAt',
] as const satisfies readonly (keyof typeof videos.$inferInsert)[];

type Submittable = Pick<typeof videos.$inferInsert, (typeof submittedNames)[number]>;
export type NewVideo = Submittable & { readonly createdAt: Date };

const columns = getTableColumns(videos);
const submittedColumns = submittedNames.map((name) => columns[name]);

/** Returns the row of a new video, inserted with its hold. */
export function videoInsert(video: NewVideo): PartialInsert {
  return {
    text: (first, from) =>
      `insert into videos (hold_id, ${INSERTED}) select id, ${submittedColumns.map((column, at) => `$${first + at}::${column.getSQLType()}`).join(', ')} from ${from}`,
    values: submittedNames.map((name) => {
      const value = video[name];
      return value === undefined || value === null ? null : columns[name].mapToDriverValue(value);
    }),
  };
}

const INSERTED = submittedColumns.map(({ name }) => `"${name}"`).join(', ');

export interface RetryQuestion {
  readonly keyId: KeyId;
  readonly bodyHash: string;
  readonly now: Date;
}

const ANSWER_CUT_WITHIN_MS = 600_000;
const NEVER_POLLED_WITHIN_MS = 60_000;

/**
 * Finds the video that a client's automatic retry repeats, and marks it as replayed. It is a video whose first response
 * was cut off, or else a recent one that no client has polled and that no earlier retry matched.
 */
export async function takeRetriedVideo(db: Db, { keyId, bodyHash, now }: RetryQuestion): Promise<VideoRow | undefined> {
  const since = (ms: number) => new Date(now.getTime() - ms);
  const cut = and(eq(videos.answerCut, true), gt(videos.createdAt, since(ANSWER_CUT_WITHIN_MS)));
  const unseen = and(
    isNull(videos.polledAt),
    eq(videos.replayed, false),
    gt(videos.createdAt, since(NEVER_POLLED_WITHIN_MS)),
  );
  // A retry has the same Idempotency-Key as the original, or neither has one. So only videos without a key can match
  // here.
  const keyed = db.orm
    .select({ id: idempotencyKeys.videoId })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.videoId, videos.id));
  const [found] = await db.orm
    .select({ id: videos.id })
    .from(videos)
    .where(
      and(
        eq(videos.keyId, keyId),
        eq(videos.bodyHash, bodyHash),
        isNull(videos.deletedAt),
        or(cut, unseen),
        notExists(keyed),
      ),
    )
    .orderBy(desc(videos.answerCut), desc(videos.createdAt))
    .limit(1)
    .for('update');
  if (!found) return undefined;
  const [row] = await db.orm
    .update(videos)
    .set({ replayed: true })
    .where(eq(videos.id, found.id))
    .returning(videoColumns);
  return row;
}

/** Whether the organisation wants automatic retries to return the first video. The default is true. */
export async function replaysRetries(db: Db, account: Account): Promise<boolean> {
  const [row] = await db.orm
    .select({ on: organizations.replayRetries })
    .from(organizations)
    .where(eq(organizations.id, account.orgId));
  return row?.on ?? true;
}

export interface IdempotencySlot {
  readonly account: Account;
  readonly route: string;
  readonly key: string;
}

const isSlot = ({ account, route, key }: IdempotencySlot) =>
  and(
    eq(idempotencyKeys.orgId, account.orgId),
    eq(idempotencyKeys.mode, account.mode),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.key, key),
  );

/** Returns the stored outcome of a key, if it is newer than `since`. */
export async function findIdempotencyKey(
  db: Db,
  slot: IdempotencySlot,
  since: Date,
): Promise<{ bodyHash: string; videoId: VideoId } | undefined> {
  const [row] = await db.orm
    .select({ bodyHash: idempotencyKeys.bodyHash, videoId: idempotencyKeys.videoId })
    .from(idempotencyKeys)
    .where(and(isSlot(slot), gt(idempotencyKeys.createdAt, since)));
  return row;
}

/**
 * Stores the key of a new video. If the key is taken, this fails with a unique violation, which `isKeyTaken`
 * recognises.
 */
export function idempotencyInsert(
  { account: { orgId, mode }, route, key }: IdempotencySlot,
  { bodyHash, videoId, now }: { readonly bodyHash: string; readonly videoId: VideoId; readonly now: Date },
): PartialInsert {
  return {
    text: (first, from) =>
      `insert into idempotency_keys (org_id, mode, route, key, body_hash, video_id, created_at)
       select ${[0, 1, 2, 3, 4, 5].map((at) => `$${first + at}::text`).join(', ')}, $${first + 6}::timestamptz from ${from}`,
    values: [orgId, mode, route, key, bodyHash, videoId, now],
  };
}

export function isKeyTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === SLOT_CONSTRAINT;
}

/** The name that the constraint has in its migration. */
const SLOT_CONSTRAINT = 'idempotency_keys_org_id_mode_route_key_pk';

/** Removes an outcome that is older than the retention time of keys. */
export async function removeExpiredKey(db: Db, slot: IdempotencySlot, since: Date): Promise<void> {
  await db.orm.delete(idempotencyKeys).where(and(isSlot(slot), lte(idempotencyKeys.createdAt, since)));
}
