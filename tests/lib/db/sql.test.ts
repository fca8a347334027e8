import type { ClientBase } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createPreparedStatements } from '../../../lib/db/sql';
import { openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';

const postgres = runPostgres();
afterAll(() => postgres?.close());

// Safe: only the process id is read.
const client = (processID: number) => ({ processID }) as unknown as ClientBase;

describe('createPreparedStatements', () => {
  it('names the statements of a direct connection, each text once', () => {
    const prepared = createPreparedStatements();
    const direct = client(42);
    prepared.note(direct, 42);
    const names = ['a', 'b', 'a'].map((text) => prepared.queryOf(direct, text, []).name);
    expect(names).toEqual(['patchbay_0', 'patchbay_1', 'patchbay_0']);
  });

  it('names none behind a pooler, which announces a process id of its own', () => {
    const prepared = createPreparedStatements();
    const pooled = client(42);
    prepared.note(pooled, 43);
    expect(prepared.queryOf(pooled, 'a', [1])).toEqual({ text: 'a', values: [1] });
    // The driver has no id if none was announced.
    const unknown = {} as unknown as ClientBase;
    prepared.note(unknown, undefined);
    expect(prepared.queryOf(unknown, 'a', undefined)).toEqual({ text: 'a' });
  });

  it('names those of a database that has no pooler', () => {
    const prepared = createPreparedStatements({ isAlwaysDirect: true });
    expect(prepared.queryOf(client(0), 'a', []).name).toBe('patchbay_0');
  });

  it('names only so many', () => {
    const prepared = createPreparedStatements();
    const direct = client(42);
    prepared.note(direct, 42);
    const names = Array.from({ length: 200 }, (_, n) => prepared.queryOf(direct, `select ${n}`, []).name);
    expect(names.filter((name) => name !== undefined)).toHaveLength(100);
  });
});

describe.skipIf(!postgres)('on Postgres', () => {
  it('prepares only what asks for it, and uses the connection again after an error of a statement', async () => {
    const db = await openDatabaseAt(await postgres!.createDatabase(), { poolSize: 1 });
    const prepare = { prepare: true } as const;
    expect((await db.query('select $1::int + 1 as sum', [1], prepare)).rows).toEqual([{ sum: 2 }]);
    expect((await db.inTransaction((tx) => tx.query('select $1::int + 1 as sum', [2], prepare))).rows).toEqual([
      { sum: 3 },
    ]);
    await db.query('select $1::int as plain', [1]);
    const pid = async () => (await db.query('select pg_backend_pid() as pid')).rows[0]?.pid;
    const before = await pid();
    await expect(db.query('select 1 / $1::int', [0], prepare)).rejects.toMatchObject({ code: '22012' });
    expect(await pid()).toBe(before);
    const { rows } = await db.query('select statement from pg_prepared_statements order by name');
    expect(rows).toEqual([{ statement: 'select $1::int + 1 as sum' }, { statement: 'select 1 / $1::int' }]);
    await db.close();
  });
});
