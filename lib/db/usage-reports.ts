import type { Account } from '../domain/caller';
import type { NanoUsd } from '../domain/money';
import type { Db } from './database';
import { secondsOfBucket } from './usage-days';

// Reports of an account's usage from the daily sums. The database computes all sums, as integers.

/** The dimension of a report. `kind` is the kind of endpoint, `person` the creator of the key. */
export type UsageDimension = 'model' | 'provider' | 'key' | 'kind' | 'person';
export type UsageInterval = 'day' | 'week' | 'month';

/** Both days are included; ISO dates of UTC. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface UsageFilter {
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly key?: string | undefined;
  /** All current keys of a project; only without `key`. */
  readonly project?: string | undefined;
  readonly kind?: string | undefined;
}

export interface UsageMeasures {
  /** Requests that ended. */
  readonly requests: number;
  readonly succeeded: number;
  /** Requests that ended without success for a reason that says nothing about the provider. */
  readonly excused: number;
  readonly charged: NanoUsd;
  readonly refunded: NanoUsd;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly mediaMillis: number;
  readonly characters: number;
}

export interface UsageGroup extends UsageMeasures {
  /** The value of the dimension; null for all groups beyond the limit together. */
  readonly id: string | null;
  /** The name of a key or a person that still exists. */
  readonly name: string | null;
}

export interface UsagePeriod extends UsageMeasures {
  /** The first day of the period; it may lie before the first day of the report. */
  readonly start: string;
  readonly groups: readonly UsageGroup[];
}

export interface UsageReport {
  readonly total: UsageMeasures;
  /** The largest sum first. */
  readonly groups: readonly UsageGroup[];
  /** The earliest first; periods without usage are absent. */
  readonly periods: readonly UsagePeriod[];
}

/** Expressions over a row of `usage_days` as `u`. */
const DIMENSIONS: Readonly<Record<Exclude<UsageDimension, 'person'>, string>> = {
  model: 'u.model',
  provider: 'u.provider',
  key: 'u.key_id',
  kind: 'u.kind',
};
/** The creator of the key `counted.id`, whose row is `k`. */
const PERSON = `case when counted.id = 'console' then 'console' when k.by_operator then 'operator' else coalesce(k.created_by, '') end`;

const MEASURES = `sum(finished) as requests, sum(succeeded) as succeeded, sum(excused) as excused,
  sum(cost_nano_usd) as charged, sum(refunded_nano_usd) as refunded, sum(input_tokens) as input_tokens,
  sum(cache_read_tokens) as cache_read_tokens, sum(cache_write_tokens) as cache_write_tokens,
  sum(output_tokens) as output_tokens, sum(media_millis) as media_millis, sum(characters) as characters`;

/** `MEASURES` over rows that are already sums. */
const MEASURES_AGAIN = MEASURES.replaceAll(/sum\((\w+)\) as (\w+)/g, 'sum($2) as $2');

const FILTERED = `u.org_id = $1 and u.mode = $2 and u.day between $3 and $4
  and ($5::text is null or u.model = $5) and ($6::text is null or u.provider = $6)
  and ($7::text is null or u.key_id = $7 or u.key_id in (select id from api_keys where org_id = $1 and project_id = $7)) and ($8::text is null or u.kind = $8)`;

const valuesOf = ({ orgId, mode }: Account, { from, to }: Days, filter: UsageFilter) => [
  orgId,
  mode,
  from,
  to,
  filter.model ?? null,
  filter.provider ?? null,
  filter.key ?? filter.project ?? null,
  filter.kind ?? null,
];

/** Returns the report. The largest `maxGroups` groups are listed, and all others are one group. */
export async function reportUsage(
  db: Db,
  account: Account,
  days: Days,
  filter: UsageFilter,
  by: UsageDimension,
  interval: UsageInterval,
  maxGroups: number,
): Promise<UsageReport> {
  const start = interval === 'day' ? 'u.day' : `date_trunc('${interval}', u.day)::date`;
  // People are looked up for the sums of their keys, not for each row.
  const isByPerson = by === 'person';
  const { rows } = await db.query(
    `with counted as materialized (
       select ${start} as start, ${isByPerson ? DIMENSIONS.key : DIMENSIONS[by]} as id, ${MEASURES}
       from usage_days u where ${FILTERED} group by 1, 2
     ), sums as materialized (
       ${isByPerson ? `select start, ${PERSON} as id, ${MEASURES_AGAIN} from counted left join api_keys k on k.id = counted.id and k.org_id = $1 group by 1, 2` : 'select * from counted'}
     ), ranked as (
       select id, row_number() over (order by sum(charged - refunded) desc, sum(requests) desc, id) <= $9 as shown
       from sums group by id
     ), grouped as (
       select start::text, case when shown then id end as id, grouping(start) = 0 as is_period,
         grouping(case when shown then id end) = 0 as is_group,
         ${MEASURES_AGAIN}
       from sums join ranked using (id)
       group by grouping sets ((), (start), (case when shown then id end), (start, case when shown then id end))
     )
     select grouped.*, ${nameOf(by)} as name from grouped
     order by is_period, is_group, start, id is null, charged - refunded desc, requests desc, id`,
    [...valuesOf(account, days, filter), maxGroups],
  );
  const groups: UsageGroup[] = [];
  const periods: (UsagePeriod & { groups: UsageGroup[] })[] = [];
  const byStart = new Map<string, UsageGroup[]>();
  let total = NOTHING;
  for (const row of rows) {
    const measures = measuresOf(row);
    const group = { id: textOf(row['id']), name: textOf(row['name']), ...measures };
    if (row['is_period'] === true && row['is_group'] === true) byStart.get(String(row['start']))?.push(group);
    else if (row['is_period'] === true) {
      const period = { start: String(row['start']), groups: [], ...measures };
      periods.push(period);
      byStart.set(period.start, period.groups);
    } else if (row['is_group'] === true) groups.push(group);
    else if (row['requests'] !== null) total = measures;
  }
  return { total, groups, periods };
}

/**
 * Returns an expression for the name of a group. A person's name is shown only if they are or were a member of the
 * organisation.
 */
function nameOf(by: UsageDimension): string {
  if (by === 'key') return '(select name from api_keys where api_keys.id = grouped.id and org_id = $1)';
  if (by === 'person')
    return `(select coalesce(name, email) from users where users.id = grouped.id
      and exists (select 1 from api_keys where org_id = $1 and created_by = users.id))`;
  return 'null::text';
}

/** A line of a statement: the usage of one key with one model at one provider. */
export interface UsageLine extends UsageMeasures {
  readonly kind: string;
  readonly model: string;
  readonly provider: string;
  readonly keyId: string;
  readonly keyName: string | null;
}

/** Returns the sums of some days by all dimensions, the largest sum first. */
export async function listUsageLines(db: Db, account: Account, days: Days): Promise<UsageLine[]> {
  const { rows } = await db.query(
    `select sums.*, k.name as key_name from (
       select kind, model, provider, key_id, ${MEASURES} from usage_days u where ${FILTERED} group by 1, 2, 3, 4
     ) sums left join api_keys k on k.id = sums.key_id and k.org_id = $1
     order by charged - refunded desc, kind, model, provider, key_id`,
    valuesOf(account, days, {}),
  );
  return rows.map((row) => ({
    kind: String(row['kind']),
    model: String(row['model']),
    provider: String(row['provider']),
    keyId: String(row['key_id']),
    keyName: textOf(row['key_name']),
    ...measuresOf(row),
  }));
}

/** Returns what was spent on all days before this one, minus the refunds, and the first day with usage. */
export async function sumSpentBefore(
  db: Db,
  { orgId, mode }: Account,
  day: string,
): Promise<{ readonly spent: NanoUsd; readonly firstDay: string | null }> {
  const { rows } = await db.query(
    `select coalesce(sum(cost_nano_usd - refunded_nano_usd) filter (where day < $3), 0) as spent, min(day)::text as first_day
     from usage_days where org_id = $1 and mode = $2`,
    [orgId, mode, day],
  );
  return { spent: BigInt(String(rows[0]?.['spent'] ?? 0)), firstDay: textOf(rows[0]?.['first_day']) };
}

/** How a model performed; percentiles are within 5 %, and null without successful work or where the caller decides. */
export interface ModelPerformance {
  readonly model: string;
  readonly requests: number;
  readonly succeeded: number;
  readonly excused: number;
  /** From the request to the end, in seconds. */
  readonly durations: Percentiles | null;
  /** From the request to the first content, in seconds. */
  readonly firstContents: Percentiles | null;
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Returns the performance of each model. The model with the most requests comes first. */
export async function listModelPerformance(
  db: Db,
  account: Account,
  days: Days,
  { model, provider }: Pick<UsageFilter, 'model' | 'provider'>,
): Promise<ModelPerformance[]> {
  const percentiles = (reached: string, total: string, name: string) =>
    [50, 95, 99]
      .map(
        (share) =>
          `min(bucket) filter (where ${total} > 0 and ${reached} * 100 >= ${total} * ${share}) as ${name}${share}`,
      )
      .join(', ');
  // The histogram is read for each model separately, because in its key the model comes before the day.
  const { rows } = await db.query(
    `with models as materialized (
       select u.model, sum(finished) as requests, sum(succeeded) as succeeded, sum(excused) as excused
       from usage_days u where ${FILTERED} and u.kind <> '' group by 1
     )
     select models.*, times.* from models, lateral (
       select ${percentiles('reached', 'total', 'd')}, ${percentiles('first_reached', 'first_total', 'f')} from (
         select bucket, sum(sum(count)) over (order by bucket) as reached, sum(sum(count)) over () as total,
           sum(sum(first_count)) over (order by bucket) as first_reached, sum(sum(first_count)) over () as first_total
         from usage_durations d where d.org_id = $1 and d.mode = $2 and d.model = models.model and d.day between $3 and $4
           and ($6::text is null or d.provider = $6) group by bucket
       ) buckets
     ) times order by requests desc, model`,
    valuesOf(account, days, { model, provider }),
  );
  return rows.map((row) => ({
    model: String(row['model']),
    requests: Number(row['requests']),
    succeeded: Number(row['succeeded']),
    excused: Number(row['excused']),
    durations: percentilesOf(row, 'd'),
    firstContents: percentilesOf(row, 'f'),
  }));
}

function percentilesOf(row: Readonly<Record<string, unknown>>, name: 'd' | 'f'): Percentiles | null {
  const secondsOf = (share: number) => secondsOfBucket(Number(row[`${name}${share}`]));
  return row[`${name}50`] === null ? null : { p50: secondsOf(50), p95: secondsOf(95), p99: secondsOf(99) };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const NOTHING: UsageMeasures = {
  requests: 0,
  succeeded: 0,
  excused: 0,
  charged: 0n,
  refunded: 0n,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  mediaMillis: 0,
  characters: 0,
};

function measuresOf(row: Readonly<Record<string, unknown>>): UsageMeasures {
  return {
    requests: Number(row['requests']),
    succeeded: Number(row['succeeded']),
    excused: Number(row['excused']),
    charged: BigInt(String(row['charged'] ?? 0)),
    refunded: BigInt(String(row['refunded'] ?? 0)),
    inputTokens: Number(row['input_tokens']),
    cacheReadTokens: Number(row['cache_read_tokens']),
    cacheWriteTokens: Number(row['cache_write_tokens']),
    outputTokens: Number(row['output_tokens']),
    mediaMillis: Number(row['media_millis']),
    characters: Number(row['characters']),
  };
}
