import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { inject } from 'vitest';
import { openEmbedded } from '../../lib/db/embedded';
import type { ToWorker } from '../../lib/db/pglite-worker';
import type { StartWorker } from '../../lib/workers';
import { startPostgresWorker, type ServerTemplate } from './postgres-worker';
import { startWorker } from './workers';

// Opening an embedded database takes two seconds of processor time, emptying one a tenth of that. So a database that a
// test has closed is emptied, and the next test file of the same process gets it. It is not used again if the test has
// changed the schema.

/** Open and empty databases: copies on the server of the run, and embedded ones. */
const idle = { server: [] as Worker[], embedded: [] as Worker[] };

/**
 * A `StartWorker` for databases that are opened from the template: starts one, or takes an idle one. With a server, it is
 * a copy of the template there.
 */
export function reusableWorkersOf(server: ServerTemplate | undefined): StartWorker {
  const waiting = server ? idle.server : idle.embedded;
  const fingerprint = server?.fingerprint ?? inject('templateFingerprint');
  return (source, data) => {
    const reused = waiting.pop();
    const worker = reused ?? (server ? startPostgresWorker(server) : startWorker(source, data));
    return lend(worker, reused === undefined, async () => {
      if (await empty(worker, fingerprint).catch(() => false)) waiting.push(worker);
      else await worker.terminate();
    });
  };
}

/** The worker as one borrower sees it. When the borrower closes it, `onClose` gets it back. */
function lend(worker: Worker, isNew: boolean, onClose: () => Promise<void>): Worker {
  const lent = new EventEmitter();
  const events = ['message', 'error', 'exit'] as const;
  const passOn = events.map((event) => [event, (value: unknown) => lent.emit(event, value)] as const);
  for (const [event, pass] of passOn) worker.on(event, pass);
  // A worker says it once, to its first borrower.
  if (!isNew) process.nextTick(() => lent.emit('message', { kind: 'ready' }));

  let isClosed = false;
  async function close(): Promise<void> {
    isClosed = true;
    for (const [event, pass] of passOn) worker.off(event, pass);
    await onClose();
    lent.emit('exit', 0);
  }
  // Safe: these are the parts of a worker that lib/db/embedded.ts uses.
  return Object.assign(lent, {
    // A borrower that sends something after it has closed must not reach the next one.
    postMessage(message: ToWorker) {
      if (isClosed) return;
      if (message.kind === 'close') void close();
      else worker.postMessage(message);
    },
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  }) as unknown as Worker;
}

/** Deletes all rows but those of the template. Returns whether the database can be used again. */
async function empty(worker: Worker, fingerprint: string): Promise<boolean> {
  const { pool, close } = await openEmbedded(() => lend(worker, false, async () => worker.unref()), {});
  try {
    const { rows } = await pool.query<{ fingerprint: string }>(SCHEMA_FINGERPRINT);
    if (rows[0]?.fingerprint !== fingerprint) return false;
    await pool.query(DELETE_ROWS);
    return true;
  } finally {
    await close();
  }
}

/** Changes when a table, column, index, constraint, function or trigger is added or removed. */
export const SCHEMA_FINGERPRINT = `
  with named as (select oid from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema')
  select md5(concat(
    (select string_agg(concat(oid, relname, relnatts, relchecks, relhasrules, relhastriggers), ',' order by oid) from pg_class where relnamespace in (select oid from named)),
    (select string_agg(concat(oid, conname), ',' order by oid) from pg_constraint where connamespace in (select oid from named)),
    (select string_agg(concat(oid, tgname, tgenabled), ',' order by oid) from pg_trigger),
    (select string_agg(concat(oid, proname, md5(prosrc)), ',' order by oid) from pg_proc where pronamespace in (select oid from named))
  )) as fingerprint`;

/**
 * Truncating a table takes milliseconds, because it makes new files for the table and each of its indexes. So rows are
 * deleted, without triggers and foreign keys, and only a table that has grown is truncated: deleted rows stay in its file
 * until then.
 */
const DELETE_ROWS = `
  do $$
  declare
    candidate text;
    grown text[] := '{}';
  begin
    set local session_replication_role = replica;
    for candidate in
      select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = 'public'
        and pg_relation_size(c.oid) > 0
    loop
      if pg_relation_size(candidate) > 131072 then
        grown := grown || candidate;
      else
        execute 'delete from ' || candidate;
      end if;
    end loop;
    if cardinality(grown) > 0 then execute 'truncate ' || array_to_string(grown, ', ') || ' cascade'; end if;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where schemaname = 'public' and last_value is not null;
  end $$`;
