import { getTableColumns } from 'drizzle-orm';
import type { Db } from './database';
import { messages } from './schema/index';

// Queries about messages.

/** What the messages that are written together have in common. */
export type MessagesOwner = Required<Pick<typeof messages.$inferInsert, 'orgId' | 'keyId' | 'mode' | 'holdId'>>;

/** The rest of a row. Amounts and times as texts: JSON has neither, and making them here costs less than asking each value for its JSON. */
export type MessageRow = Omit<typeof messages.$inferInsert, keyof MessagesOwner | 'costNanoUsd' | 'createdAt'> & {
  readonly costNanoUsd: string;
  readonly createdAt: string;
};

/** A row as `insertMessages` takes it. */
export function messageText(row: MessageRow): string {
  return JSON.stringify(row);
}

/**
 * Written when messages are over, many at a time and therefore as one text of JSON: a statement with a parameter for each value
 * costs fifty times as much. A second writing of the same message changes nothing.
 */
export async function insertMessages(
  db: Db,
  { orgId, keyId, mode, holdId }: MessagesOwner,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.query(insertion, [`[${rows.join(',')}]`, orgId, keyId, mode, holdId]);
}

const { orgId, keyId, mode, holdId, ...own } = getTableColumns(messages);
const owner = [orgId, keyId, mode, holdId];
const targets = [...owner, ...Object.values(own)].map(({ name }) => name);
const sources = Object.entries(own).map(([field, column]) => `"${field}" ${column.getSQLType()}`);
const insertion = `insert into messages (${targets.join(', ')})
select ${owner.map((column, index) => `$${index + 2}::${column.getSQLType()}`).join(', ')}, ${Object.keys(own)
  .map((field) => `"${field}"`)
  .join(', ')} from json_to_recordset($1::json) as given (${sources.join(', ')})
on conflict do nothing`;
