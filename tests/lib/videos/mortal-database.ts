import { getTableName } from 'drizzle-orm';
import type { Table } from 'drizzle-orm';
import type { Database, Db } from '../../../lib/db/database';

// A database as a process sees it that can die at any statement: from then on nothing that this process does reaches
// the data, just as after a kill. The next process gets another view of the same database.

export interface DeathPoint {
  /** The transaction that does this to that table. The one that ends a video inserts a delivery. */
  readonly what: `${'insert' | 'update'} ${string}`;
  readonly when: 'before commit' | 'after commit';
  /** Of several such transactions; absent: the first. */
  readonly nth?: number;
}

export interface MortalDatabase extends Database {
  /** Dies in the next transaction of this description. */
  dieAt(point: DeathPoint): void;
  /** Dies at the n-th statement from now. */
  dieAfter(statements: number): void;
  die(): void;
  /** This many of the next transactions of this description are rolled back, as by a database that restarts. */
  failNext(what: DeathPoint['what'], times: number): void;
  isDead(): boolean;
}

/** What a statement in plain SQL does to the tables of videos and webhooks. */
function changesIn(text: string): string[] {
  return [...text.matchAll(/\b(insert into|update) (video\w*|webhook\w*)/g)].map(
    ([, verb, table]) => `${verb === 'update' ? 'update' : 'insert'} ${table}`,
  );
}

export function mortalView(db: Database): MortalDatabase {
  let dead = false;
  let point: DeathPoint | undefined;
  let pointsLeft = 0;
  let statementsLeft = Infinity;
  const failures = new Map<string, number>();

  function live(): void {
    statementsLeft -= 1;
    if (statementsLeft <= 0) dead = true;
    if (dead) throw new Error('This process is dead.');
  }

  const watch = <T extends Db>(inner: T, seen: Set<string>): T => ({
    ...inner,
    query: (text: string, values?: unknown[]) => {
      live();
      for (const what of changesIn(text)) seen.add(what);
      return inner.query(text, values);
    },
    orm: new Proxy(inner.orm, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          live();
          // Safe: `insert` and `update` of drizzle take a table first.
          if (name === 'insert' || name === 'update') seen.add(`${name} ${getTableName(args[0] as Table)}`);
          return (value as (...all: unknown[]) => unknown).apply(target, args);
        };
      },
    }),
  });

  return {
    ...watch(db, new Set()),
    // A statement of its own is a transaction.
    query(text, values) {
      if (changesIn(text).length === 0) return watch(db, new Set()).query(text, values);
      return this.inTransaction((tx) => tx.query(text, values));
    },
    async inTransaction(run) {
      live();
      const seen = new Set<string>();
      const isPoint = (when: DeathPoint['when']) =>
        point !== undefined && pointsLeft === 0 && point.when === when && seen.has(point.what);
      const result = await db.inTransaction(async (tx) => {
        const inner = await run(watch(tx, seen));
        if (point && seen.has(point.what)) pointsLeft -= 1;
        if (isPoint('before commit')) dead = true;
        for (const what of seen) {
          const left = failures.get(what) ?? 0;
          if (left === 0) continue;
          failures.set(what, left - 1);
          throw new Error('The database is away.');
        }
        live();
        return inner;
      });
      if (isPoint('after commit')) dead = true;
      live();
      return result;
    },
    // The data outlives the process.
    close: async () => {},
    dieAt(where) {
      point = where;
      pointsLeft = where.nth ?? 1;
    },
    dieAfter: (statements) => void (statementsLeft = statements),
    die: () => void (dead = true),
    failNext: (what, times) => void failures.set(what, times),
    isDead: () => dead,
  };
}
