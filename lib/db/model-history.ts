import type { Account } from '../domain/caller';
import type { Capability } from '../domain/model';
import type { ProviderId } from '../domain/ids';
import type { Db } from './database';

// The performance of a model for one account, by provider. One statement per kind of work; only finished work counts.

export interface ProviderHistory {
  readonly provider: ProviderId;
  /** Finished work that says something about the provider: cancellations and errors of the caller are left out. */
  readonly count: number;
  readonly succeeded: number;
  /**
   * Of successful work, from the request to the end; null without any, or where the caller decides the duration
   * (sockets).
   */
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
}

/** Failures of videos that the provider did not cause. */
const CALLERS_OWN = [
  'cancelled',
  'content_policy_violation',
  'media_invalid',
  'media_unreachable',
  'media_too_large',
  'input_seconds_mismatch',
];

export async function listModelHistory(
  db: Db,
  account: Account,
  model: string,
  capability: Capability,
  since: Date,
): Promise<ProviderHistory[]> {
  const { rows } = await db.query(statements[capability], [
    account.orgId,
    account.mode,
    model,
    since.toISOString(),
    ...(capability === 'video' ? [CALLERS_OWN] : []),
  ]);
  return rows.map((row) => ({
    provider: String(row.provider),
    count: Number(row.count),
    succeeded: Number(row.succeeded),
    p50Seconds: row.p50 === null ? null : Number(row.p50),
    p95Seconds: row.p95 === null ? null : Number(row.p95),
  }));
}

const percentile = (part: number, seconds: string, succeeded: string) =>
  `percentile_cont(${part}) within group (order by ${seconds}) filter (where ${succeeded})`;

function statement(
  table: string,
  isOver: string,
  succeeded: string,
  startedAt: string,
  seconds: string | undefined,
): string {
  return `select provider, count(*)::int as count, count(*) filter (where ${succeeded})::int as succeeded,
      ${seconds ? `${percentile(0.5, seconds, succeeded)}::float8` : 'null'} as p50, ${seconds ? `${percentile(0.95, seconds, succeeded)}::float8` : 'null'} as p95
    from ${table}
    where org_id = $1 and mode = $2 and model = $3 and ${startedAt} >= $4 and provider is not null and ${isOver}
    group by provider order by count(*) desc, provider`;
}

const sockets = (kind: string) =>
  statement('meters', `kind = '${kind}' and ended_at is not null`, "outcome <> 'failed'", 'started_at', undefined);

const statements: Readonly<Record<Capability, string>> = {
  video: statement(
    'videos',
    "(status = 'completed' or (status = 'failed' and not (coalesce(error_code, '') = any($5))))",
    "status = 'completed'",
    'created_at',
    'extract(epoch from completed_at - created_at)',
  ),
  messages: statement('messages', 'true', "outcome = 'completed'", 'created_at', 'total_ms / 1000.0'),
  stt: sockets('transcription'),
  tts: sockets('speech'),
};
