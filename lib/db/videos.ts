import { and, asc, desc, eq, getTableColumns, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Account } from '../domain/caller';
import { isId, type KeyId, type OrgId, type UserId, type VideoId } from '../domain/ids';
import type { Json } from '../domain/json';
import type { LimitOverrides } from '../domain/limits';
import { videoMoves, type OrderMedia, type VideoOrder, type VideoStatus } from '../domain/video';
import { isClosed } from './organizations';
import type { Db } from './database';
import { idBeginsWith } from './id-prefix';
import { isBeyond } from './page';
import { apiKeys, favoriteVideos, organizations, videoAttempts, videos } from './schema/index';

// Queries about videos. Every read for a caller takes the account as a parameter, so that it cannot be forgotten. The
// order (prompt and media, up to 25 MB), the request and the entry of the catalog are read only where they are needed.

const { order: orderColumn, request: requestColumn, catalogEntry: entryColumn, ...columns } = getTableColumns(videos);
/** The columns of `VideoRow`. */
export const videoColumns = columns;

export type VideoRow = Omit<typeof videos.$inferSelect, 'order' | 'request' | 'catalogEntry'>;
export type VideoChange = PgUpdateSetSource<typeof videos>;

const isOf = (account: Account) =>
  and(eq(videos.orgId, account.orgId), eq(videos.mode, account.mode), isNull(videos.deletedAt));

/** The statuses of an unfinished video; every update of a status has this in its WHERE. */
const unfinished = (Object.keys(videoMoves) as VideoStatus[]).filter((status) => videoMoves[status].length > 0);
export const isUnfinished = inArray(videos.status, unfinished);
/** `isUnfinished` as SQL, where `status` is the video's. Written as in the partial indexes, so that they are used. */
export const IS_UNFINISHED = `status in (${unfinished.map((status) => `'${status}'`).join(', ')})`;

/** Finds a video of the account, unless it is deleted. */
export async function findVideo(db: Db, account: Account, id: VideoId): Promise<VideoRow | undefined> {
  const [row] = await db.orm
    .select(columns)
    .from(videos)
    .where(and(eq(videos.id, id), isOf(account)));
  return row;
}

/** Finds a video of the organisation in either mode, unless it is deleted. */
export async function findVideoOfOrganization(db: Db, orgId: OrgId, id: VideoId): Promise<VideoRow | undefined> {
  const [row] = await db.orm
    .select(columns)
    .from(videos)
    .where(and(eq(videos.id, id), eq(videos.orgId, orgId), isNull(videos.deletedAt)));
  return row;
}

/**
 * Finds a video by its id alone. For jobs, signed links and resent webhooks, which check the right to read it in
 * another way.
 */
export async function findVideoById(db: Db, id: VideoId): Promise<VideoRow | undefined> {
  const [row] = await db.orm
    .select(columns)
    .from(videos)
    .where(and(eq(videos.id, id), isNull(videos.deletedAt)));
  return row;
}

/**
 * Finds the video of a signed link, with the state and the limits of its organisation, which decide whether the link
 * may be used.
 */
export async function findSharedVideo(
  db: Db,
  id: VideoId,
): Promise<{ video: VideoRow; orgClosed: boolean; limits: LimitOverrides | null } | undefined> {
  const [row] = await db.orm
    .select({ video: columns, orgClosed: isClosed, limits: organizations.limits })
    .from(videos)
    .innerJoin(organizations, eq(organizations.id, videos.orgId))
    .where(and(eq(videos.id, id), isNull(videos.deletedAt)));
  return row;
}

/** Returns those of these videos that are deleted, or whose organisation is suspended or about to be deleted. */
export async function findWithdrawnVideos(
  db: Db,
  ids: readonly VideoId[],
): Promise<{ readonly id: VideoId; readonly deletedAt: Date | null }[]> {
  return db.orm
    .select({ id: videos.id, deletedAt: videos.deletedAt })
    .from(videos)
    .innerJoin(organizations, eq(organizations.id, videos.orgId))
    .where(and(sql`${videos.id} = any(${sql.param(ids)}::text[])`, or(isNotNull(videos.deletedAt), isClosed)));
}

/** Returns the order itself; undefined if the video was deleted or its inputs have been removed. */
export async function findOrder(db: Db, id: VideoId): Promise<VideoOrder | undefined> {
  const [row] = await db.orm.select({ order: orderColumn }).from(videos).where(eq(videos.id, id));
  return row?.order ?? undefined;
}

/**
 * The order without the data URLs of its media, which may be 25 MB each: for the update that ends a video, after which
 * no provider reads them.
 */
export const orderWithoutInlineMedia = sql`case
  when jsonb_path_exists(${orderColumn}, '$.media[*].url ? (@ like_regex "^data:" flag "i")') then jsonb_set(${orderColumn}, '{media}', (
    select jsonb_agg(case when media ->> 'url' ilike 'data:%' then media || '{"url": ""}' else media end order by place)
    from jsonb_array_elements(${orderColumn} -> 'media') with ordinality as item (media, place)))
  else ${orderColumn} end`;

/** Returns the catalog entry that was stored with the video; undefined if its model is one of ours. */
export async function findCatalogEntry(db: Db, id: VideoId): Promise<unknown> {
  const [row] = await db.orm.select({ entry: entryColumn }).from(videos).where(eq(videos.id, id));
  return row?.entry ?? undefined;
}

/**
 * Returns one item of the media of an unfinished video, by its place in the order. Undefined if there is none, or if
 * the video has ended.
 */
export async function findOpenMedia(db: Db, id: VideoId, place: number): Promise<OrderMedia | undefined> {
  const [row] = await db.orm
    .select({ media: sql<OrderMedia | null>`${orderColumn} -> 'media' -> ${place}::int` })
    .from(videos)
    .where(and(eq(videos.id, id), isUnfinished));
  return row?.media ?? undefined;
}

/** Returns the request snapshot; undefined if it has been removed or the video was deleted. */
export async function findKeptRequest(db: Db, account: Account, id: VideoId): Promise<Json | undefined> {
  const [row] = await db.orm
    .select({ request: requestColumn })
    .from(videos)
    .where(and(eq(videos.id, id), isOf(account)));
  return row?.request ?? undefined;
}

/** The filters of a list; all of them must match. */
export interface VideoFilter {
  readonly status?: VideoStatus;
  readonly model?: string;
  readonly keyId?: KeyId;
  /** Created at or after. */
  readonly from?: Date;
  /** Created before. */
  readonly to?: Date;
  /** The complete id of the request that created it. */
  readonly requestId?: string;
  /** The beginning of a video's id, or the complete id of its request or of the provider's job. */
  readonly search?: string;
  /** The person whose favourites `favorite` and `onlyFavorites` refer to; absent: no favourites. */
  readonly favoritesOf?: FavoriteOwner;
  readonly onlyFavorites?: boolean;
}

/** The person who marks a video, or a key that stands for no person. */
export type FavoriteOwner = UserId | KeyId;

export interface FoundVideo {
  readonly video: VideoRow;
  /** The first characters of the prompt. */
  readonly prompt: string | null;
  /** Null for a deleted key, and for requests of the console. */
  readonly keyName: string | null;
  readonly favorite: boolean;
}

const PROMPT_SHOWN = 200;
/** An id that no person and no key has. */
const NO_OWNER = '' as FavoriteOwner;

/** Lists the account's videos, newest first. Reads one more than `limit`, which shows whether there are more. */
export async function searchVideos(
  db: Db,
  account: Account,
  filter: VideoFilter,
  page: { limit: number; after?: VideoRow },
): Promise<FoundVideo[]> {
  const { status, model, keyId, from, to, requestId, search, favoritesOf, onlyFavorites } = filter;
  return db.orm
    .select({
      video: columns,
      prompt: sql<string | null>`left(${requestColumn} ->> 'prompt', ${PROMPT_SHOWN}::int)`,
      keyName: apiKeys.name,
      favorite: sql<boolean>`${favoriteVideos.videoId} is not null`,
    })
    .from(videos)
    .leftJoin(apiKeys, eq(apiKeys.id, videos.keyId))
    .leftJoin(
      favoriteVideos,
      and(eq(favoriteVideos.videoId, videos.id), eq(favoriteVideos.ownerId, favoritesOf ?? NO_OWNER)),
    )
    .where(
      and(
        isOf(account),
        status && eq(videos.status, status),
        model === undefined ? undefined : eq(videos.model, model),
        keyId && eq(videos.keyId, keyId),
        from && gte(videos.createdAt, from),
        to && lt(videos.createdAt, to),
        requestId === undefined ? undefined : eq(videos.requestId, requestId),
        search === undefined ? undefined : isFoundBy(search),
        onlyFavorites ? isNotNull(favoriteVideos.videoId) : undefined,
        page.after && isBeyondVideo('desc', page.after),
      ),
    )
    .orderBy(desc(videos.createdAt), desc(videos.id))
    .limit(page.limit);
}

/** Returns a condition: the video has this id (or its beginning), this request, or this job of a provider. */
export function isFoundBy(text: string) {
  // A complete id is found by the primary key, however many videos there are.
  if (isId('video', text)) return eq(videos.id, text);
  return or(idBeginsWith(videos.id, text), eq(videos.requestId, text), eq(videos.providerJobId, text));
}

const isBeyondVideo = (order: 'asc' | 'desc', { createdAt, id }: VideoRow) =>
  isBeyond(order, videos.createdAt, videos.id, { time: createdAt, id });

/** Lists videos. Reads one more than `limit`, which shows whether there are more. */
export async function listVideos(
  db: Db,
  account: Account,
  page: { limit: number; order: 'asc' | 'desc'; after?: VideoRow },
): Promise<VideoRow[]> {
  const direction = page.order === 'asc' ? asc : desc;
  return db.orm
    .select(columns)
    .from(videos)
    .where(and(isOf(account), page.after && isBeyondVideo(page.order, page.after)))
    .orderBy(direction(videos.createdAt), direction(videos.id))
    .limit(page.limit);
}

/** Updates an unfinished video. Resolves to undefined, and changes nothing, if it is already finished or deleted. */
export async function updateUnfinishedVideo(db: Db, id: VideoId, change: VideoChange): Promise<VideoRow | undefined> {
  const [row] = await db.orm
    .update(videos)
    .set(change)
    .where(and(eq(videos.id, id), isUnfinished))
    .returning(columns);
  return row;
}

/**
 * Reads videos and increments the number of their checks, unless the check was already counted. Returns undefined for
 * each video that is already finished, even if its file is still being copied.
 */
export async function recordChecks(
  db: Db,
  checks: readonly { readonly id: VideoId; readonly isCounted: boolean }[],
  at: Date,
): Promise<(VideoRow | undefined)[]> {
  const idsOf = (list: typeof checks) => sql.param(list.map(({ id }) => id));
  const uncounted = idsOf(checks.filter(({ isCounted }) => !isCounted));
  const rows = await db.orm
    .update(videos)
    .set({
      checks: sql`${videos.checks} + case when ${videos.id} = any(${uncounted}::text[]) then 1 else 0 end`,
      checkedAt: at,
    })
    .where(
      and(
        sql`${videos.id} = any(${idsOf(checks)}::text[])`,
        isUnfinished,
        isNotNull(videos.receipt),
        isNull(videos.upstreamResult),
      ),
    )
    .returning(columns);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return checks.map(({ id }) => byId.get(id));
}

/** Replaces the reference to the file of a finished video. */
export async function updateFile(db: Db, id: VideoId, file: Json): Promise<void> {
  await db.orm
    .update(videos)
    .set({ file })
    .where(and(eq(videos.id, id), isNotNull(videos.file)));
}

/** Stores the length of the file of a finished video, unless it is known. */
export async function recordFileBytes(db: Db, id: VideoId, bytes: number): Promise<void> {
  await db.orm
    .update(videos)
    .set({ fileBytes: bytes })
    .where(and(eq(videos.id, id), isNotNull(videos.file), isNull(videos.fileBytes)));
}

/** Records the first time that a client referred to the video after its submission. */
export async function recordPolled(db: Db, id: VideoId, at: Date): Promise<void> {
  await db.orm
    .update(videos)
    .set({ polledAt: at })
    .where(and(eq(videos.id, id), isNull(videos.polledAt)));
}

/** Whether the response to the submission was cut off, so that an automatic retry gets this video. */
export async function recordAnswerCut(db: Db, id: VideoId, cut: boolean): Promise<void> {
  await db.orm.update(videos).set({ answerCut: cut }).where(eq(videos.id, id));
}

/** Deletes the contents of a video. Its row stays for the ledger, with the receipt by which its file is removed. */
export async function eraseVideo(db: Db, id: VideoId, at: Date): Promise<void> {
  await db.orm
    .update(videos)
    .set({
      deletedAt: at,
      order: null,
      request: null,
      ignoredParams: [],
      publicUrl: null,
      webhookUrl: null,
      errorMessage: null,
    })
    .where(eq(videos.id, id));
  await db.orm.update(videoAttempts).set({ sent: null }).where(eq(videoAttempts.videoId, id));
  await db.orm.delete(favoriteVideos).where(eq(favoriteVideos.videoId, id));
}

/** Marks a video, or removes the mark. Safe to repeat. */
export async function setFavorite(
  db: Db,
  ownerId: FavoriteOwner,
  videoId: VideoId,
  mark: { readonly at: Date } | undefined,
): Promise<void> {
  if (mark) await db.orm.insert(favoriteVideos).values({ ownerId, videoId, createdAt: mark.at }).onConflictDoNothing();
  else
    await db.orm
      .delete(favoriteVideos)
      .where(and(eq(favoriteVideos.ownerId, ownerId), eq(favoriteVideos.videoId, videoId)));
}
