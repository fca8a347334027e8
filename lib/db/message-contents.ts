import { and, eq, gt } from 'drizzle-orm';
import type { OrgId } from '../domain/ids';
import type { Db, Tx } from './database';
import { messageContents } from './schema/index';

// The conversations of messages, of organisations that keep them.

export type MessageContentRow = typeof messageContents.$inferSelect;

/** Stores nothing if the organisation keeps no conversations any more. */
export async function insertMessageContent(
  db: Db,
  { messageId, orgId, request, answer, expiresAt }: MessageContentRow,
): Promise<void> {
  await db.query(insertion, [messageId, orgId, request, answer, expiresAt]);
}

const insertion = `insert into message_contents (message_id, org_id, request, answer, expires_at)
select $1, $2, $3, $4, $5 from organizations where id = $2 and keep_messages_days is not null
for share
on conflict do nothing`;

/** Undefined if none is kept, or its time is over. */
export async function findMessageContent(
  db: Db,
  orgId: OrgId,
  messageId: string,
  now: Date,
): Promise<MessageContentRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(messageContents)
    .where(isKept(orgId, messageId, now));
  return row;
}

/** Until when the conversation is kept; undefined if it is not. */
export async function findContentExpiry(db: Db, orgId: OrgId, messageId: string, now: Date): Promise<Date | undefined> {
  const [row] = await db.orm
    .select({ expiresAt: messageContents.expiresAt })
    .from(messageContents)
    .where(isKept(orgId, messageId, now));
  return row?.expiresAt;
}

/** All that the organisation has kept. */
export async function eraseMessageContents(tx: Tx, orgId: OrgId): Promise<void> {
  await tx.orm.delete(messageContents).where(eq(messageContents.orgId, orgId));
}

function isKept(orgId: OrgId, messageId: string, now: Date) {
  return and(
    eq(messageContents.messageId, messageId),
    eq(messageContents.orgId, orgId),
    gt(messageContents.expiresAt, now),
  );
}
