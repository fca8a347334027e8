import { and, eq, getTableColumns } from 'drizzle-orm';
import type { OrgId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Database, Db } from './database';
import { isRefusedValue } from '../domain/database-failure';
import { messages } from './schema/index';
import { addingMessages } from './usage-days';

// Queries about messages.

/** What all messages of one write share: some columns, and the time of their charge. */
export interface MessagesOwner extends Required<
  Pick<typeof messages.$inferInsert, 'orgId' | 'keyId' | 'mode' | 'holdId'>
> {
  readonly chargedAt: Date;
}

/**
 * The other columns of a row. Amounts and times are text: JSON has no type for them, and converting them here is
 * cheaper than calling each value's toJSON.
 */
export type MessageRow = Omit<typeof messages.$inferInsert, keyof MessagesOwner | 'costNanoUsd' | 'createdAt'> & {
  readonly costNanoUsd: string;
  readonly createdAt: string;
};

/** Converts a row to the JSON text for `insertMessages`. */
export function messageText(row: MessageRow): string {
  return JSON.stringify(row);
}

/**
 * Inserts finished messages, and counts them in the daily sums. All rows are passed as one JSON text: a statement with
 * a parameter for each value would take fifty times as long. Inserting the same message again changes nothing.
 */
export async function insertMessages(
  db: Db,
  { orgId, keyId, mode, holdId, chargedAt }: MessagesOwner,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.query(insertion, [`[${rows.join(',')}]`, orgId, keyId, mode, holdId, chargedAt.toISOString()]);
}

/**
 * Tries to insert each row alone, and rolls everything back. Returns the rows that the database refuses because of a
 * value in them, each with the error.
 */
export async function findRefusedMessages(
  db: Database,
  owner: MessagesOwner,
  rows: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const refused = new Map<string, unknown>();
  const rollback = new Error('The rows were only tried.');
  const tried = db.inTransaction(async (tx) => {
    // The account is locked first, as by every transaction that counts in the daily sums, so that two of them cannot
    // wait for each other.
    await tx.query('select 1 from accounts where org_id = $1 and mode = $2 for update', [owner.orgId, owner.mode]);
    for (const row of rows) {
      await tx.query('savepoint one_message');
      try {
        await insertMessages(tx, owner, [row]);
      } catch (error) {
        if (!isRefusedValue(error)) throw error;
        refused.set(row, error);
      }
      await tx.query('rollback to savepoint one_message');
    }
    throw rollback;
  });
  await tried.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return refused;
}

/**
 * Returns the same rows with costs that add up to at most `total`: if less could be charged than was used, the later
 * rows cost less or nothing.
 */
export function limitCosts(rows: readonly string[], total: NanoUsd): string[] {
  let left = total;
  return rows.map((text) => {
    // Safe: every row is made by `messageText`.
    const row = JSON.parse(text) as MessageRow;
    const cost = BigInt(row.costNanoUsd);
    const charged = cost < left ? cost : left;
    left -= charged;
    return messageText({ ...row, costNanoUsd: charged.toString() });
  });
}

export type StoredMessage = typeof messages.$inferSelect;

/** Finds a message of the organisation in either mode. */
export async function findMessage(db: Db, orgId: OrgId, id: string): Promise<StoredMessage | undefined> {
  const [row] = await db.orm
    .select()
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.orgId, orgId)));
  return row;
}

const { orgId, keyId, mode, holdId, ...own } = getTableColumns(messages);
const owner = [orgId, keyId, mode, holdId];
const targets = [...owner, ...Object.values(own)].map(({ name }) => name);
const sources = Object.entries(own).map(([field, column]) => `"${field}" ${column.getSQLType()}`);
/**
 * A free message has no hold, so no time of a charge is stored that its sums could be compared with. It counts on the
 * day of its request.
 */
const COUNTED_AT = '(case when hold_id is null then created_at else $6::timestamptz end)';
const insertion = `with inserted as (insert into messages (${targets.join(', ')})
select ${owner.map((column, index) => `$${index + 2}::${column.getSQLType()}`).join(', ')}, ${Object.keys(own)
  .map((field) => `"${field}"`)
  .join(', ')} from json_to_recordset($1::json) as given (${sources.join(', ')})
on conflict do nothing returning *), ${addingMessages('inserted', COUNTED_AT)} select`;
