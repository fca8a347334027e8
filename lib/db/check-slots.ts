import { sql } from 'drizzle-orm';
import type { Db } from './database';
import { checkSlots } from './schema/index';

/**
 * Reserves the next time at which a provider may be checked, so that all processes together check it at most once per
 * `everyMs`. Resolves to the milliseconds until then. Times come from the database's clock, because the clocks of two
 * hosts differ.
 */
export async function reserveCheck(db: Db, provider: string, everyMs: number): Promise<number> {
  const interval = sql`${everyMs}::float8 * interval '1 millisecond'`;
  const [slot] = await db.orm
    .insert(checkSlots)
    .values({ provider, nextAt: sql`now() + ${interval}` })
    .onConflictDoUpdate({
      target: checkSlots.provider,
      set: { nextAt: sql`greatest(${checkSlots.nextAt}, now()) + ${interval}` },
    })
    .returning({ waitMs: sql<number>`extract(epoch from ${checkSlots.nextAt} - ${interval} - now())::float8 * 1000` });
  return Math.ceil(slot?.waitMs ?? 0);
}
