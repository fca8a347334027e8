import type { Db } from './database';

// What all processes have spent in the current windows of the limits of spending per minute, for installations without
// Redis. Other limits are divided among the processes there, but a share of a small limit is less than the price of one
// video. The clock is that of the database, which all processes share.

interface SpendWindow {
  /** In billionths of a dollar. */
  readonly count: number;
  /** The time until the window ends, in milliseconds. */
  readonly endsInMs: number;
}

const ENDS_IN_MS = '(extract(epoch from ends_at - clock_timestamp()) * 1000)::float8 as ends_in_ms';
const WINDOW = `$3::float8 * interval '1 millisecond'`;
// A window that ends later than it may was begun before the clock of the database was set back. The time is read once
// the row is locked: by the time at which the statement began, a window that a later statement has begun meanwhile
// would end too late.
const ADD = `
  insert into spend_windows as w (name, spent, ends_at)
  values ($1, $2::bigint, clock_timestamp() + ${WINDOW})
  on conflict (name) do update set (spent, ends_at) = (
    select case when w.ends_at > at and w.ends_at <= at + ${WINDOW} then w.spent else 0 end + excluded.spent,
      case when w.ends_at > at and w.ends_at <= at + ${WINDOW} then w.ends_at else at + ${WINDOW} end
    from (select clock_timestamp() as at) as locked
  )
  returning spent, ${ENDS_IN_MS}`;

/** Parameters: name, length of the window in milliseconds or null. */
const READ = `
  select spent, ${ENDS_IN_MS} from spend_windows where name = $1 and ends_at > clock_timestamp()
    and ($2::float8 is null or ends_at <= clock_timestamp() + $2::float8 * interval '1 millisecond')`;

/** The windows of the database. Every method rejects while it cannot be reached. */
export function openSpendWindows(db: Db) {
  async function read(name: string, windowMs: number | null = null): Promise<SpendWindow | undefined> {
    const { rows } = await db.query(READ, [name, windowMs], { prepare: true });
    return rows[0] && windowOf(rows[0]);
  }

  return {
    /** Adds to the current window, or begins one; resolves with the sum. With no points it only reads. */
    async add(name: string, points: number, windowMs: number): Promise<SpendWindow> {
      if (points === 0) return (await read(name, windowMs)) ?? { count: 0, endsInMs: windowMs };
      const { rows } = await db.query(ADD, [name, points, windowMs], { prepare: true });
      return windowOf(rows[0] ?? {});
    },

    /** Takes points out of the window that ends in at most `endsInMs`, unless it has ended. */
    async takeBack(name: string, points: number, endsInMs: number): Promise<void> {
      await db.query(
        `update spend_windows set spent = spent - $2::bigint
         where name = $1 and ends_at > now() and ends_at <= now() + $3::float8 * interval '1 millisecond'`,
        [name, points, Math.ceil(endsInMs)],
      );
    },

    read: (name: string) => read(name),
  };
}

const windowOf = (row: Readonly<Record<string, unknown>>): SpendWindow => ({
  count: Number(row['spent']),
  endsInMs: Math.max(0, Number(row['ends_in_ms'])),
});
