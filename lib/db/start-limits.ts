import type { Db, Tx } from './database';

// The limits of accounts at providers that Patchbay learned from refusals, because providers do not publish them or set
// them for each account, some for each of their models. A limit belongs to a queue of `waiting_starts`. Times are those
// of the process, as the other limits of starts.

/** The first pause after a refusal. It doubles if the first start after it is refused too. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** The longest pause that a provider may ask for. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
/** The time after which the limit is raised further, if the provider has accepted all starts up to it. */
const RAISE_INTERVAL_MS = 2_000;
const MAX_STEP = 1_000;
/**
 * A limit is forgotten when the account has refused no start for this long: it may have refused because of an outage.
 * The time begins after the pause that it asked for, so that the starts that wait for its end are not sent all at once.
 */
const FORGET_MS = 5 * 60_000;
/**
 * The clocks of two hosts differ by less. A refusal that seems to be further ahead was before the clock was set back:
 * its limit is forgotten, because it would otherwise not be raised for as long as the clock was set back.
 */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

export interface LearnedLimit {
  /** The number of running videos up to which others may be started. */
  readonly running: number;
  /** The time until the limit is raised, if it is used up by then. */
  readonly raisedInMs: number;
}

/** How many videos run at an account. */
interface Running {
  /** Those that count against the limit of the queue. */
  readonly inQueue: number;
  /** Those of them that the provider has accepted. */
  readonly accepted: number;
  /** Those of all models. */
  readonly atAccount: number;
}

const raisedIn = (now: string) => `(extract(epoch from raise_at - ${now}::timestamptz) * 1000)::int as raised_in_ms`;
/** SQL condition; its arguments are SQL too. */
const isKnown = (now: string, limit = 'start_limits') =>
  `${limit}.earliest_at > ${now}::timestamptz - ${FORGET_MS} * interval '1 millisecond'
  and ${limit}.refused_at < ${now}::timestamptz + ${MAX_CLOCK_DIFFERENCE_MS} * interval '1 millisecond'`;

/** Returns the queues with a learned limit. */
export async function listLearnedLimits(db: Db, now: Date): Promise<ReadonlySet<string>> {
  const { rows } = await db.query(`select queue from start_limits where ${isKnown('$1')}`, [now]);
  return new Set(rows.map(({ queue }) => String(queue)));
}

/**
 * Returns the learned limit of the queue; undefined if it has none. Raises the limit if it is used up, and its time has
 * come or fewer videos run at the account than when it refused a start. It is used up by accepted videos: the response
 * to the others is not known, and some take longer than the pauses. The caller has locked the account.
 */
export async function currentLimit(
  tx: Tx,
  queue: string,
  { inQueue, accepted, atAccount }: Running,
  now: Date,
): Promise<LearnedLimit | undefined> {
  const raiseAt = new Date(now.getTime() + RAISE_INTERVAL_MS);
  const { rows } = await tx.query(CURRENT, [queue, now, inQueue, atAccount, raiseAt, accepted]);
  return rows[0] && limitOf(rows[0]);
}

// Without a refusal since the last raise, the first pause after the next refusal is short again. An early raise is one
// for each video that has ended.
const CURRENT = `
  with raised as (
    update start_limits set running = $3::int + step, step = least(step * 2, ${MAX_STEP}), raise_at = $5::timestamptz,
      running_at_account = $4::int, pause_ms = case when step > 1 then 0 else pause_ms end
    where queue = $1 and ${isKnown('$2')} and running <= $6::int and (
      raise_at <= $2::timestamptz or (running_at_account > $4::int and earliest_at <= $2::timestamptz)
    )
    returning running, ${raisedIn('$2')}
  )
  select running, raised_in_ms from raised
  union all
  select running, ${raisedIn('$2')} from start_limits
  where queue = $1 and ${isKnown('$2')} and not exists (select from raised)`;

/** A start that was refused by an account at its limits. */
export interface LimitRefusal {
  readonly queue: string;
  /** What was running besides. */
  readonly running: Running;
  /** When the attempt to start began. */
  readonly beganAt: Date;
  /** When it was refused. */
  readonly at: Date;
  /** The pause that the provider asked for; may have a fraction. */
  readonly retryAfterMs: number;
}

/** Stores what a refusal shows, and returns the new limit. The caller has locked the account. */
export async function learnLimit(
  tx: Tx,
  { queue, running, beganAt, at, retryAfterMs }: LimitRefusal,
): Promise<LearnedLimit> {
  const { rows } = await tx.query(LEARN, [
    queue,
    at,
    running.inQueue,
    running.atAccount,
    beganAt,
    Math.ceil(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)),
  ]);
  return limitOf(rows[0] ?? {});
}

// Of starts that were sent together, each lowers the limit, and only the first refusal determines the pause.
const IS_KNOWN = `(${isKnown('$2', 'known')})`;
const IS_SAME_BURST = `(${IS_KNOWN} and known.refused_at > $5::timestamptz)`;
const PAUSE = `case
  when not ${IS_KNOWN} then ${FIRST_PAUSE_MS}
  when ${IS_SAME_BURST} then known.pause_ms
  else least(greatest(known.pause_ms * 2, ${FIRST_PAUSE_MS}), ${MAX_PAUSE_MS})
end`;
const after = (ms: string) => `$2::timestamptz + ${ms} * interval '1 millisecond'`;
const LEARN = `
  insert into start_limits as known
    (queue, running, running_at_account, step, raise_at, earliest_at, pause_ms, refused_at)
  values (
    $1, $3::int, $4::int, 1, ${after(`greatest(${FIRST_PAUSE_MS}, $6::int)`)},
    ${after(`greatest(${FIRST_PAUSE_MS}, $6::int)`)}, ${FIRST_PAUSE_MS}, $2::timestamptz
  )
  on conflict (queue) do update set
    running = excluded.running,
    running_at_account = excluded.running_at_account,
    step = 1,
    pause_ms = ${PAUSE},
    raise_at = case
      when ${IS_SAME_BURST} then greatest(known.raise_at, ${after('$6::int')})
      else ${after(`greatest(${PAUSE}, $6::int)`)}
    end,
    earliest_at = case
      when ${IS_SAME_BURST} then greatest(known.earliest_at, excluded.earliest_at)
      else excluded.earliest_at
    end,
    refused_at = excluded.refused_at
  returning running, ${raisedIn('$2')}`;

const limitOf = (row: Readonly<Record<string, unknown>>): LearnedLimit => ({
  running: Number(row['running']),
  raisedInMs: Math.max(0, Number(row['raised_in_ms'])),
});
