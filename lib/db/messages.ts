import { getTableColumns } from 'drizzle-orm';
import type { Db } from './database';
import { messages } from './schema/index';

// Queries about messages.

/** Amounts as texts, because JSON has no such numbers. */
export type MessageRow = Omit<typeof messages.$inferInsert, 'costNanoUsd'> & { readonly costNanoUsd: string };

/**
 * Written when messages are over, many at a time and therefore as one text of JSON: a statement with a parameter for each value
 * costs fifty times as much. A second writing of the same message changes nothing.
 */
export async function insertMessages(db: Db, rows: readonly MessageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(insertion, [JSON.stringify(rows)]);
}

const columns = getTableColumns(messages);
const targets = Object.values(columns).map(({ name }) => name);
const sources = Object.entries(columns).map(([field, column]) => `"${field}" ${column.getSQLType()}`);
const insertion = `insert into messages (${targets.join(', ')})
select ${Object.keys(columns).map((field) => `"${field}"`).join(', ')} from json_to_recordset($1::json) as given (${sources.join(', ')})
on conflict do nothing`;
