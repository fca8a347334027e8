import type { Account } from '../domain/caller';
import type { ProviderId } from '../domain/ids';
import type { Db } from './database';
import { secondsOfBucket } from './usage-days';

// The performance of a model for one account, by provider, from the daily sums.

export interface ProviderHistory {
  readonly provider: ProviderId;
  /** Finished work that says something about the provider: cancellations and errors of the caller are left out. */
  readonly count: number;
  readonly succeeded: number;
  /**
   * The duration in seconds of successful work, from the request to the end, within 5 %; null without any, or where the
   * caller decides the duration (sockets).
   */
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
}

/**
 * Returns statistics of the work that ended since that day (UTC, ISO date). The provider with the most work comes
 * first.
 */
export async function listModelHistory(
  db: Db,
  { orgId, mode }: Account,
  model: string,
  sinceDay: string,
): Promise<ProviderHistory[]> {
  // A percentile lies in the first bucket whose running count reaches its share.
  const { rows } = await db.query(
    `with sums as (
       select provider, sum(finished - excused) as count, sum(succeeded) as succeeded from usage_days
       where org_id = $1 and mode = $2 and model = $3 and day >= $4 and provider <> '' group by provider
     ), buckets as (
       select provider, bucket, sum(sum(count)) over (partition by provider order by bucket) as reached,
         sum(sum(count)) over (partition by provider) as total
       from usage_durations where org_id = $1 and mode = $2 and model = $3 and day >= $4 group by provider, bucket
     ), percentiles as (
       select provider, min(bucket) filter (where reached >= total * 0.5) as p50, min(bucket) filter (where reached >= total * 0.95) as p95
       from buckets group by provider
     )
     select provider, count, succeeded, p50, p95 from sums left join percentiles using (provider)
     where count > 0 order by count desc, provider`,
    [orgId, mode, model, sinceDay],
  );
  return rows.map(({ provider, count, succeeded, p50, p95 }) => ({
    provider: String(provider),
    count: Number(count),
    succeeded: Number(succeeded),
    p50Seconds: p50 === null ? null : secondsOfBucket(Number(p50)),
    p95Seconds: p95 === null ? null : secondsOfBucket(Number(p95)),
  }));
}
