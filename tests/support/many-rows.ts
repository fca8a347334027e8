import type { Database } from '../../lib/db/database';

/**
 * From now on, a statement that changes more than `max` rows of the table fails, as one that changes a million rows is
 * ended by its time limit.
 */
export async function refuseManyRows(db: Database, table: string, change: 'update' | 'delete', max: number) {
  await db.query(`
    create or replace function refuse_many_rows() returns trigger language plpgsql as $$
    begin
      if (select count(*) from changed) > tg_argv[0]::int then raise exception 'a statement changes too many rows'; end if;
      return null;
    end $$`);
  await db.query(`
    create trigger few_rows after ${change} on ${table} referencing old table as changed
    for each statement execute function refuse_many_rows('${max}')`);
}
