import { getTableColumns } from 'drizzle-orm';
import type { Db } from './database';
import { messages } from './schema/index';

// Queries about messages.

/** The columns that all messages of one write have in common. */
export type MessagesOwner = Required<Pick<typeof messages.$inferInsert, 'orgId' | 'keyId' | 'mode' | 'holdId'>>;

/**
 * The other columns of a row. Amounts and times are text: JSON has no type for them, and converting them here is
 * cheaper than calling each value's toJSON.
 */
export type MessageRow = Omit<typeof messages.$inferInsert, keyof MessagesOwner | 'costNanoUsd' | 'createdAt'> & {
  readonly costNanoUsd: string;
  readonly createdAt: string;
};

/** A row for `insertMessages`. */
export function messageText(row: MessageRow): string {
  return JSON.stringify(row);
}

/**
 * Inserts finished messages, many at a time and therefore as one JSON text: a statement with a parameter for each value
 * is fifty times as slow. Inserting the same message again changes nothing.
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
