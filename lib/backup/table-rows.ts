import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Tx } from '../db/database';

// The rows of a table as lines of JSON. `row_to_json` writes numbers of any size, and times to the microsecond, without
// loss. Postgres reads them back with the types of the columns.

const BATCH_ROWS = 500;
/** A batch also ends at this length, because it is one parameter of a statement. */
const MAX_BATCH_CHARACTERS = 4_000_000;

/** Lists every table of the product, each after the tables that its foreign keys refer to. */
export async function tablesOf(tx: Tx): Promise<readonly string[]> {
  const { rows } = await tx.query(
    `select c.relname as name, coalesce(array_agg(distinct f.confrelid::regclass::text)
        filter (where f.confrelid is not null and f.confrelid <> c.oid), '{}') as needs
      from pg_class c left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname order by c.relname`,
  );
  // Safe: the types of the query.
  const waiting = new Map(rows.map(({ name, needs }) => [name as string, needs as readonly string[]]));
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, needs]) => needs.every((need) => !waiting.has(need))).map(([name]) => name);
    if (ready.length === 0) throw new Error(`Foreign keys form a circle: ${[...waiting.keys()].join(', ')}.`);
    for (const name of ready) waiting.delete(name);
    ordered.push(...ready);
  }
  return ordered;
}

/** Writes every row of a table to a file. Resolves to the number of rows. */
export async function writeRows(tx: Tx, table: string, file: string): Promise<number> {
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    await tx.query(`declare rows no scroll cursor for select row_to_json(t)::text as line from "${table}" t`);
    for (;;) {
      const { rows } = await tx.query(`fetch ${BATCH_ROWS} from rows`);
      if (rows.length === 0) break;
      count += rows.length;
      // A stored JSON text may have line breaks between its parts; within a string they are escaped.
      yield rows.map(({ line }) => `${String(line).replaceAll('\n', ' ')}\n`).join('');
    }
    await tx.query('close rows');
  }
  await pipeline(Readable.from(lines()), createGzip({ level: 6 }), createWriteStream(file, { mode: 0o600 }));
  return count;
}

/** Adds the rows of a file to an empty table. Resolves to the number of rows. */
export async function readRows(tx: Tx, table: string, file: string): Promise<number> {
  const { rows } = await tx.query(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
      from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const columns = String(rows[0]?.names);
  const insert = `insert into "${table}" (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::"${table}", $1::json)`;
  let count = 0;
  let batch: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await tx.query(insert, [`[${batch.join(',')}]`]);
    count += batch.length;
    batch = [];
    characters = 0;
  };
  for await (const line of linesOf(file)) {
    batch.push(line);
    characters += line.length;
    if (batch.length === BATCH_ROWS || characters > MAX_BATCH_CHARACTERS) await flush();
  }
  await flush();
  return count;
}

/**
 * Yields the lines of a compressed file. `readline` is not used, because it also ends lines at U+2028 and U+2029, which
 * JSON strings contain unescaped.
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  // A damaged or missing file ends the loop with its error.
  pipeline(createReadStream(file), text).catch((error: Error) => text.destroy(error));
  let rest = '';
  for await (const chunk of text.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Continues the sequences of a table after its highest values. */
export async function continueSequences(tx: Tx, table: string): Promise<void> {
  const { rows } = await tx.query(
    `select quote_ident(column_name) as name, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
      from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  for (const { name, sequence } of rows)
    if (typeof sequence === 'string')
      await tx.query(
        `select setval($1::regclass, coalesce(max(${String(name)}), 1), max(${String(name)}) is not null) from "${table}"`,
        [sequence],
      );
}
