import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Pool, PoolClient } from 'pg';
import type { Log } from '../domain/log';
import type { Db } from './database';

// Migrations run while other processes, including those of the previous version, answer requests. drizzle's own
// migrator would run all migrations in one transaction that waits for its locks without a limit; while it waits, every
// request for the table waits too. The migration files and the table of applied migrations are drizzle's.

/** An arbitrary fixed number: one lock for all instances of this product on a database. */
const MIGRATION_LOCK = 7_285_101;
/** Shorter than a request waits for a lock (3 s), because requests queue behind a waiting migration. */
const LOCK_TIMEOUT_MS = 1_000;
/** A pause for the requests that have waited behind the last attempt. */
const RETRY_PAUSE_MS = 1_000;
/** After four minutes, the lock is held by something that will not end by itself, such as a forgotten transaction. */
const MAX_LOCK_ATTEMPTS = 120;
const TURN_POLL_INTERVAL_MS = 200;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  readonly hash: string;
  /** When the migration was generated, in milliseconds since 1970. Migrations are applied in this order. */
  readonly createdMs: number;
}

export interface MigrateOptions {
  readonly migrationsFolder: string;
  readonly log: Log;
  /** The creation time of the last migration to apply, in milliseconds since 1970; absent: all are applied. */
  readonly untilMs?: number;
  /** How many times a migration tries to get its locks, about every two seconds. */
  readonly maxLockAttempts?: number;
}

/**
 * Applies the missing migrations, each in a transaction of its own. Several instances may start at once: one applies
 * them and the others wait. Throws if a lock was not available for some minutes. A database with newer migrations than
 * this version knows is left as it is.
 */
export async function migrateDatabase(
  pool: Pool,
  { migrationsFolder, log, untilMs = Infinity, maxLockAttempts = MAX_LOCK_ATTEMPTS }: MigrateOptions,
): Promise<void> {
  const client = await pool.connect();
  try {
    await takeTurn(client);
    try {
      const appliedMs = await lastApplied(client);
      for (const migration of readMigrations(migrationsFolder))
        if (migration.createdMs > appliedMs && migration.createdMs <= untilMs)
          await apply(client, migration, log, maxLockAttempts);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    client.release();
  }
}

/**
 * Takes the migration lock. Polls instead of waiting in one statement: `create index concurrently` in another instance
 * waits for every running statement, so each would wait for the other.
 */
async function takeTurn(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    await pause(TURN_POLL_INTERVAL_MS);
  }
}

/**
 * Returns the creation time of the last applied migration; 0 if there is none. Also creates the table of applied
 * migrations.
 */
async function lastApplied(client: PoolClient): Promise<number> {
  await client.query('create schema if not exists drizzle');
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  const { rows } = await client.query<{ last: string }>(
    'select coalesce(max(created_at), 0)::text as last from drizzle.__drizzle_migrations',
  );
  return Number(rows[0]?.last);
}

/**
 * Returns the creation time of the last applied migration, in milliseconds since 1970; undefined if the database was
 * never migrated.
 */
export async function findLastMigration(db: Pick<Db, 'query'>): Promise<number | undefined> {
  const { rows: tables } = await db.query(`select to_regclass('drizzle.__drizzle_migrations') as name`);
  if (tables[0]?.name === null) return undefined;
  const { rows } = await db.query('select max(created_at)::text as last from drizzle.__drizzle_migrations');
  const last = rows[0]?.last;
  return typeof last === 'string' ? Number(last) : undefined;
}

/** Returns the migrations of this version, in the order in which they are applied. */
export function readMigrations(migrationsFolder: string): readonly Migration[] {
  // Safe: this is drizzle's own file, from which drizzle reads the migrations in the same order.
  const journal = JSON.parse(readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string }[];
  };
  return readMigrationFiles({ migrationsFolder }).map(({ sql, hash, folderMillis }, at) => ({
    name: journal.entries[at]?.tag ?? hash,
    statements: sql,
    hash,
    createdMs: folderMillis,
  }));
}

async function apply(client: PoolClient, migration: Migration, log: Log, maxAttempts: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (isConcurrent(migration) ? applyOutside(client, migration) : applyInTransaction(client, migration));
      return;
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      if (attempt === maxAttempts)
        throw new Error(
          `The migration ${migration.name} did not get its lock in ${attempt} attempts. End the transaction that holds it (see pg_stat_activity), and start again.`,
          { cause: error },
        );
      if (attempt === 1) log.warn('a migration waits for a lock', { migration: migration.name });
      await pause(RETRY_PAUSE_MS);
    }
  }
}

async function applyInTransaction(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const statement of migration.statements) await client.query(statement);
    await note(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Whether the migration creates indexes of large tables. Postgres builds them without blocking writes only outside a
 * transaction.
 */
const isConcurrent = ({ statements }: Migration) => statements.some((text) => /\bconcurrently\b/i.test(text));

/** Applies a migration outside a transaction. If it fails halfway, the next attempt begins at its first statement. */
async function applyOutside(client: PoolClient, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await client.query(statement);
  await note(client, migration);
}

async function note(client: PoolClient, { hash, createdMs }: Migration): Promise<void> {
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, createdMs]);
}

function isLockFailure(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED)
  );
}
