import { eq } from 'drizzle-orm';
import type { OrgId } from '../domain/ids';
import type { Db, Tx } from './database';
import { deleteSome } from './delete-some';
import { messageContents, sessionContents } from './schema/index';

// The contents of messages and of speech, for organisations that keep them.

/**
 * Each kind has its own table and its own setting of the organisation: the number of days for which contents are kept.
 */
const kinds = {
  message: { table: 'message_contents', id: 'message_id', setting: 'keep_messages_days' },
  session: { table: 'session_contents', id: 'meter_id', setting: 'keep_speech_days' },
} as const;
export type ContentKind = keyof typeof kinds;
const tables = { message: messageContents, session: sessionContents };

export interface KeptContent {
  /** The body of a message, or the text to be spoken. */
  readonly request: string | null;
  /** The answer to a message, or the text of a transcription. */
  readonly answer: string | null;
  readonly expiresAt: Date;
}

/**
 * Inserts a content. Stores nothing if the organisation no longer keeps this kind. `id` is that of the message or the
 * meter.
 */
export async function insertContent(
  db: Db,
  kind: ContentKind,
  orgId: OrgId,
  id: string,
  { request, answer, expiresAt }: KeptContent,
): Promise<void> {
  const { table, id: column, setting } = kinds[kind];
  await db.query(
    `insert into ${table} (${column}, org_id, request, answer, expires_at)
     select $1, $2, $3, $4, $5 from organizations where id = $2 and ${setting} is not null
     for share
     on conflict do nothing`,
    [id, orgId, request, answer, expiresAt],
  );
}

/** Finds a content. Undefined if it was not kept, or its time is over. */
export async function findContent(
  db: Db,
  kind: ContentKind,
  orgId: OrgId,
  id: string,
  now: Date,
): Promise<KeptContent | undefined> {
  // Safe: as selected.
  return (await findKept(db, kind, orgId, id, now, 'request, answer, expires_at as "expiresAt"')) as
    KeptContent | undefined;
}

/** Returns until when the content is kept; undefined if it is not kept. */
export async function findContentExpiry(
  db: Db,
  kind: ContentKind,
  orgId: OrgId,
  id: string,
  now: Date,
): Promise<Date | undefined> {
  const row = await findKept(db, kind, orgId, id, now, 'expires_at as "expiresAt"');
  return row?.['expiresAt'] as Date | undefined;
}

async function findKept(db: Db, kind: ContentKind, orgId: OrgId, id: string, now: Date, columns: string) {
  const { table, id: column } = kinds[kind];
  const { rows } = await db.query(
    `select ${columns} from ${table} where ${column} = $1 and org_id = $2 and expires_at > $3`,
    [id, orgId, now],
  );
  return rows[0];
}

/** Erases all contents of this kind that the organisation has kept. */
export async function eraseContents(tx: Tx, kind: ContentKind, orgId: OrgId): Promise<void> {
  await tx.query(`delete from ${kinds[kind].table} where org_id = $1`, [orgId]);
}

/** Erases at most `limit` of them, so that no statement takes long. Resolves to false if there were no more. */
export async function eraseSomeContents(db: Db, kind: ContentKind, orgId: OrgId, limit: number): Promise<boolean> {
  const table = tables[kind];
  return deleteSome(db, table, eq(table.orgId, orgId), limit);
}
