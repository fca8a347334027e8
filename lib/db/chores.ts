import { and, eq, lt, lte, sql } from 'drizzle-orm';
import type { Db } from './database';
import { chores } from './schema/index';

// The rows by which processes take turns (lib/housekeeping/chores.ts). All times come from the database's clock.

const inMs = (ms: number) => sql`now() + ${ms}::float8 * interval '1 millisecond'`;

/** Takes the lease of a due chore. Resolves to false if the chore is not due, or another process has the lease. */
export async function claimChore(db: Db, name: string, holder: string, leaseMs: number): Promise<boolean> {
  const claimed = await db.orm
    .insert(chores)
    .values({ name, holder, dueAt: inMs(leaseMs) })
    .onConflictDoUpdate({
      target: chores.name,
      set: { holder, dueAt: sql`excluded.due_at` },
      setWhere: lte(chores.dueAt, sql`now()`),
    })
    .returning({ name: chores.name });
  return claimed.length > 0;
}

/** Extends the lease. Resolves to false if another process has taken it in the meantime. */
export async function renewChore(db: Db, name: string, holder: string, leaseMs: number): Promise<boolean> {
  return setDue(db, name, holder, leaseMs);
}

/** Releases the chore, which is due again after `everyMs`. */
export async function finishChore(db: Db, name: string, holder: string, everyMs: number): Promise<void> {
  await setDue(db, name, holder, everyMs);
}

async function setDue(db: Db, name: string, holder: string, ms: number): Promise<boolean> {
  const held = await db.orm
    .update(chores)
    .set({ dueAt: inMs(ms) })
    .where(and(eq(chores.name, name), eq(chores.holder, holder)))
    .returning({ name: chores.name });
  return held.length > 0;
}

/** Deletes the rows of chores that no process has done for a week, such as those of a data directory that is gone. */
export async function removeUnusedChores(db: Db): Promise<void> {
  await db.orm.delete(chores).where(lt(chores.dueAt, sql`now() - interval '7 days'`));
}
