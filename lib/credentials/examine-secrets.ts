import type { Sealer } from '../accounts/seal';
import type { Db } from '../db/database';
import type { ReplacedSecret } from '../db/schema/index';
import { sealedPlaces, type SealedPlace } from './sealed-places';

// Checks whether the current master key is the one that encrypted the stored secrets. With another key every webhook
// fails, and new secrets cannot be read with the right key.

export interface SecretsState {
  readonly stored: number;
  /** The number of secrets that were encrypted with another master key. */
  readonly unreadable: number;
}

/** Decrypts every stored secret. Without a sealer none can be read. */
export async function examineSecrets(db: Db, sealer: Sealer | undefined): Promise<SecretsState> {
  const secrets: boolean[] = [];
  for (const { table, columns, lists, belongsTo } of sealedPlaces) {
    for (const row of await rowsOf(db, `select id, ${[...columns, ...lists].join(', ')} from ${table}`)) {
      const listed = lists.flatMap((name) => (row[name] as readonly ReplacedSecret[]).map(({ secret }) => secret)); // Safe: the type of the column.
      const texts = [...columns.map((name) => row[name]), ...listed].filter(isSealed);
      secrets.push(...texts.map((text) => isReadable(sealer, text, belongsTo(String(row.id)))));
    }
  }
  return stateOf(secrets);
}

/**
 * Decrypts the first and the last secrets of each table, and all others only if one of these cannot be read, so that an
 * installation with many secrets starts as quickly as one with few.
 */
export async function examineSomeSecrets(db: Db, sealer: Sealer | undefined): Promise<SecretsState> {
  const secrets: boolean[] = [];
  for (const place of sealedPlaces) {
    for (const { id, sealed } of await rowsOf(db, endsOf(place)))
      secrets.push(isReadable(sealer, String(sealed), place.belongsTo(String(id))));
  }
  const some = stateOf(secrets);
  if (some.unreadable === 0) return some;
  const all = await examineSecrets(db, sealer);
  // A database that is not migrated yet may lack a column of the other secrets.
  return all.unreadable === 0 ? some : all;
}

function endsOf({ table, columns: [column] }: SealedPlace): string {
  const end = (order: string) =>
    `(select id, ${column} as sealed from ${table} where ${column} like 'v1.%' order by id ${order} limit 3)`;
  return `${end('asc')} union ${end('desc')}`;
}

// Postgres error codes for a table or column that does not exist: a later migration adds it.
const notThereYet = new Set<unknown>(['42P01', '42703']);

async function rowsOf(db: Db, text: string): Promise<Record<string, unknown>[]> {
  try {
    return (await db.query(text)).rows;
  } catch (error) {
    if (error instanceof Error && 'code' in error && notThereYet.has(error.code)) return [];
    throw error;
  }
}

/** An erased organisation has an empty text in place of its secret. */
const isSealed = (text: unknown): text is string => typeof text === 'string' && text.startsWith('v1.');

function isReadable(sealer: Sealer | undefined, sealed: string, belongsTo: string): boolean {
  try {
    return sealer?.open(sealed, belongsTo) !== undefined;
  } catch {
    return false;
  }
}

const stateOf = (readable: readonly boolean[]): SecretsState => ({
  stored: readable.length,
  unreadable: readable.filter((each) => !each).length,
});
