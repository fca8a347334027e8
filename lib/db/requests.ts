import { and, desc, eq, getTableColumns, gte, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { RequestKind, RequestStatus } from '../contract/requests';
import type { Account } from '../domain/caller';
import { isId, type KeyId, type OrgId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Mode, VideoStatus } from '../domain/video';
import type { Db } from './database';
import { idBeginsWith } from './id-prefix';
import { isBeyond } from './page';
import { isFoundBy } from './videos';
import {
  apiKeys,
  messages,
  meters,
  videos,
  type MessageOutcome,
  type MeterKind,
  type MeterOutcome,
} from './schema/index';

// The log of all requests: videos, messages, transcriptions and speech, newest first. Each kind is read from its own
// table by an index in this order, with the limit, and the results are merged.

/** The filters of the log; all of them must match. */
export interface RequestFilter {
  readonly kind?: RequestKind;
  readonly status?: RequestStatus;
  readonly model?: string;
  readonly provider?: string;
  readonly keyId?: KeyId;
  /** The error code that ended it. */
  readonly code?: string;
  /** Created at or after. */
  readonly from?: Date;
  /** Created before. */
  readonly to?: Date;
  /**
   * A complete id of a message, a request or a session, or the beginning of the id of a video, a transcription or a
   * spoken text.
   */
  readonly search?: string;
}

/** The place of an entry in the log. */
export interface RequestPosition {
  readonly time: Date;
  readonly id: string;
}

export interface LoggedRequest {
  readonly kind: RequestKind;
  readonly id: string;
  readonly status: RequestStatus;
  readonly code: string | null;
  readonly model: string;
  readonly provider: string | null;
  readonly keyId: KeyId;
  /** Null for a deleted key, and for requests of the console. */
  readonly keyName: string | null;
  /** The id of the session for transcriptions and speech. */
  readonly requestId: string;
  /** What was charged; while it runs, what is held (a video) or used so far (a session). */
  readonly costNanoUsd: NanoUsd;
  /** All input, cached or not; null for other kinds than messages. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** The length of a video or of transcribed audio; null for other kinds. */
  readonly seconds: number | null;
  /** Null for other kinds than speech. */
  readonly characters: number | null;
  /** Null while it runs. */
  readonly durationMs: number | null;
  readonly createdAt: Date;
}

interface Page {
  readonly limit: number;
  readonly after?: RequestPosition;
}

/** Which rows of each table have a status. A table that is absent has none with this status. */
const rowsWith: Readonly<
  Record<
    RequestStatus,
    {
      readonly video?: VideoStatus;
      readonly message?: MessageOutcome;
      readonly meter?: readonly (MeterOutcome | 'running')[];
    }
  >
> = {
  queued: { video: 'queued' },
  in_progress: { video: 'in_progress', meter: ['running'] },
  completed: { video: 'completed', message: 'completed', meter: ['done'] },
  partial: { message: 'partial', meter: ['budget', 'recovered'] },
  failed: { video: 'failed', message: 'failed', meter: ['failed'] },
  cancelled: { meter: ['cancelled'] },
};

/** Returns the status of a session by the outcome of its meter; a null outcome means that it runs. */
export function statusOfMeter(outcome: MeterOutcome | null): RequestStatus {
  if (outcome === null) return 'in_progress';
  if (outcome === 'done') return 'completed';
  return outcome === 'budget' || outcome === 'recovered' ? 'partial' : outcome;
}

/** Lists the account's requests, newest first. */
export async function listRequests(
  db: Db,
  account: Account,
  filter: RequestFilter,
  page: Page,
): Promise<LoggedRequest[]> {
  const { kind, status } = filter;
  const wanted = status && rowsWith[status];
  const lists: Promise<LoggedRequest[]>[] = [];
  if ((!kind || kind === 'video') && (!wanted || wanted.video))
    lists.push(listVideos(db, account, filter, wanted?.video, page));
  if ((!kind || kind === 'message') && (!wanted || wanted.message))
    lists.push(listMessages(db, account, filter, wanted?.message, page));
  for (const each of ['transcription', 'speech'] as const) {
    if (kind && kind !== each) continue;
    // One query per outcome, because the index is ordered by time only within one outcome.
    for (const outcome of wanted ? (wanted.meter ?? []) : [undefined])
      lists.push(listMeters(db, account, each, filter, outcome, page));
  }
  return merged(await Promise.all(lists), page.limit);
}

/**
 * Merges lists that are each ordered, and returns the newest entries. Ids of different kinds differ in their first
 * letter.
 */
function merged(lists: readonly (readonly LoggedRequest[])[], limit: number): LoggedRequest[] {
  const next = lists.map(() => 0);
  const newest: LoggedRequest[] = [];
  while (newest.length < limit) {
    let from = -1;
    let first: LoggedRequest | undefined;
    for (const [index, list] of lists.entries()) {
      const head = list[next[index] ?? 0];
      if (head && (!first || isNewer(head, first))) [first, from] = [head, index];
    }
    if (!first) break;
    newest.push(first);
    next[from] = (next[from] ?? 0) + 1;
  }
  return newest;
}

function isNewer(one: LoggedRequest, other: LoggedRequest): boolean {
  const ms = one.createdAt.getTime() - other.createdAt.getTime();
  return ms === 0 ? one.id > other.id : ms > 0;
}

interface Columns {
  readonly orgId: PgColumn;
  readonly mode: PgColumn;
  readonly model: PgColumn;
  readonly provider: PgColumn;
  readonly keyId: PgColumn;
  readonly code: PgColumn;
  readonly time: PgColumn;
  readonly id: PgColumn;
}

const columnsOf = {
  video: { ...getTableColumns(videos), code: videos.errorCode, time: videos.createdAt },
  message: { ...getTableColumns(messages), time: messages.createdAt },
  meter: { ...getTableColumns(meters), time: meters.startedAt },
} as const satisfies Record<string, Columns>;

function narrowed(
  columns: Columns,
  { orgId, mode }: Account,
  { model, provider, keyId, code, from, to }: RequestFilter,
  { after }: Page,
): SQL | undefined {
  return and(
    eq(columns.orgId, orgId),
    eq(columns.mode, mode),
    model === undefined ? undefined : eq(columns.model, model),
    provider === undefined ? undefined : eq(columns.provider, provider),
    keyId && eq(columns.keyId, keyId),
    code === undefined ? undefined : eq(columns.code, code),
    from && gte(columns.time, from),
    to && lt(columns.time, to),
    after && isBeyond('desc', columns.time, columns.id, after),
  );
}

async function listVideos(
  db: Db,
  account: Account,
  filter: RequestFilter,
  status: VideoStatus | undefined,
  page: Page,
): Promise<LoggedRequest[]> {
  const { search } = filter;
  const rows = await db.orm
    .select({
      id: videos.id,
      status: videos.status,
      code: videos.errorCode,
      model: videos.model,
      provider: videos.provider,
      keyId: videos.keyId,
      keyName: apiKeys.name,
      requestId: videos.requestId,
      quote: videos.quoteNanoUsd,
      cost: videos.costNanoUsd,
      requestedSeconds: videos.seconds,
      durationSeconds: videos.durationSeconds,
      createdAt: videos.createdAt,
      completedAt: videos.completedAt,
    })
    .from(videos)
    .leftJoin(apiKeys, eq(apiKeys.id, videos.keyId))
    .where(
      and(
        narrowed(columnsOf.video, account, filter, page),
        isNull(videos.deletedAt),
        status && eq(videos.status, status),
        search === undefined ? undefined : isFoundBy(search),
      ),
    )
    .orderBy(desc(videos.createdAt), desc(videos.id))
    .limit(page.limit);
  return rows.map(({ quote, cost, requestedSeconds, durationSeconds, completedAt, ...row }) => ({
    kind: 'video',
    ...row,
    costNanoUsd: row.status === 'failed' ? 0n : (cost ?? quote),
    inputTokens: null,
    outputTokens: null,
    seconds: durationSeconds ?? Number(requestedSeconds),
    characters: null,
    durationMs: completedAt && completedAt.getTime() - row.createdAt.getTime(),
  }));
}

async function listMessages(
  db: Db,
  account: Account,
  filter: RequestFilter,
  outcome: MessageOutcome | undefined,
  page: Page,
): Promise<LoggedRequest[]> {
  const { search } = filter;
  const rows = await db.orm
    .select({
      id: messages.id,
      status: messages.outcome,
      code: messages.code,
      model: messages.model,
      provider: messages.provider,
      keyId: messages.keyId,
      keyName: apiKeys.name,
      requestId: messages.requestId,
      costNanoUsd: messages.costNanoUsd,
      inputTokens: sql<number>`${messages.inputTokens} + ${messages.cacheReadTokens} + ${messages.cacheWrite5mTokens} + ${messages.cacheWrite1hTokens}`,
      outputTokens: messages.outputTokens,
      durationMs: messages.totalMs,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .leftJoin(apiKeys, eq(apiKeys.id, messages.keyId))
    .where(
      and(
        narrowed(columnsOf.message, account, filter, page),
        outcome && isWord(messages.outcome, outcome),
        search === undefined ? undefined : isMessageFoundBy(search),
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(page.limit);
  return rows.map((row) => ({ kind: 'message', ...row, seconds: null, characters: null }));
}

async function listMeters(
  db: Db,
  account: Account,
  kind: MeterKind,
  filter: RequestFilter,
  outcome: MeterOutcome | 'running' | undefined,
  page: Page,
): Promise<LoggedRequest[]> {
  const { search } = filter;
  const rows = await db.orm
    .select({
      id: meters.id,
      outcome: meters.outcome,
      code: meters.code,
      model: meters.model,
      provider: meters.provider,
      keyId: meters.keyId,
      keyName: apiKeys.name,
      requestId: meters.sessionId,
      accrued: meters.accruedNanoUsd,
      cost: meters.costNanoUsd,
      audioMillis: meters.audioMillis,
      characters: meters.characters,
      createdAt: meters.startedAt,
      endedAt: meters.endedAt,
    })
    .from(meters)
    .leftJoin(apiKeys, eq(apiKeys.id, meters.keyId))
    .where(
      and(
        narrowed(columnsOf.meter, account, filter, page),
        eq(meters.kind, kind),
        outcome && (outcome === 'running' ? isNull(meters.outcome) : isWord(meters.outcome, outcome)),
        search === undefined ? undefined : isMeterFoundBy(search),
      ),
    )
    .orderBy(desc(meters.startedAt), desc(meters.id))
    .limit(page.limit);
  return rows.map(({ outcome: ended, accrued, cost, audioMillis, characters, endedAt, ...row }) => ({
    kind,
    ...row,
    status: statusOfMeter(ended),
    costNanoUsd: endedAt ? cost : accrued,
    inputTokens: null,
    outputTokens: null,
    seconds: kind === 'transcription' ? audioMillis / 1_000 : null,
    characters: kind === 'speech' ? characters : null,
    durationMs: endedAt && endedAt.getTime() - row.createdAt.getTime(),
  }));
}

/** The word is one of ours and a part of the statement's text, so that the partial indexes match it in every plan. */
const isWord = (column: PgColumn, word: MessageOutcome | MeterOutcome) => sql`${column} = ${sql.raw(`'${word}'`)}`;

const isMessageFoundBy = (text: string) => or(eq(messages.id, text), eq(messages.requestId, text));

const isMeterFoundBy = (text: string) => or(idBeginsWith(meters.id, text), sql`${meters.sessionId} = ${text}`);

/**
 * Returns the position of an entry of the account, whatever its kind, even of a deleted video, so that the next page
 * can be read. Undefined if there is none.
 */
export async function findRequestPosition(db: Db, account: Account, id: string): Promise<RequestPosition | undefined> {
  const { table, columns } = isId('video', id)
    ? { table: videos, columns: columnsOf.video }
    : isId('meter', id)
      ? { table: meters, columns: columnsOf.meter }
      : { table: messages, columns: columnsOf.message };
  const [row] = await db.orm
    .select({ time: columns.time })
    .from(table)
    .where(and(eq(columns.id, id), eq(columns.orgId, account.orgId), eq(columns.mode, account.mode)));
  return row && { time: row.time, id };
}

/** A message or a session, as the console's search shows it. */
export interface FoundWork {
  readonly kind: 'message' | 'session';
  readonly id: string;
  readonly model: string;
  readonly mode: Mode;
}

/** Finds messages and sessions of both modes by their id or the id of their request, newest first. */
export async function searchWork(db: Db, orgId: OrgId, text: string, limit: number): Promise<FoundWork[]> {
  const found = await Promise.all([
    db.orm
      .select({ id: messages.id, model: messages.model, mode: messages.mode, at: messages.createdAt })
      .from(messages)
      .where(and(eq(messages.orgId, orgId), isMessageFoundBy(text)))
      .orderBy(desc(messages.createdAt))
      .limit(limit),
    db.orm
      .select({ id: meters.id, model: meters.model, mode: meters.mode, at: meters.startedAt })
      .from(meters)
      .where(and(eq(meters.orgId, orgId), isMeterFoundBy(text)))
      .orderBy(desc(meters.startedAt))
      .limit(limit),
  ]);
  return found
    .flatMap((rows, index) =>
      rows.map((row) => ({ kind: index === 0 ? ('message' as const) : ('session' as const), ...row })),
    )
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, limit)
    .map(({ kind, id, model, mode }) => ({ kind, id, model, mode }));
}
