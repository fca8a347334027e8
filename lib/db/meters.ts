import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Account } from '../domain/caller';
import {
  isId,
  type HoldId,
  type KeyId,
  type MeterId,
  type OrgId,
  type ProjectId,
  type ProviderId,
} from '../domain/ids';
import type { NanoUsd, UnitPrice } from '../domain/money';
import type { Db, Tx } from './database';
import type { PartialInsert } from './sql';
import type { Periods } from '../domain/clock';
import { addingMeters } from './usage-days';
import { accounts, holds, meters, type MeterAttempt, type MeterOutcome } from './schema/index';

export type MeterRow = typeof meters.$inferSelect;
export type NewMeterRow = Omit<typeof meters.$inferInsert, 'checkedAt'>;

export interface MeterCount {
  readonly id: MeterId;
  /** The provider that does the work; after a fallback it differs from the one at the start. */
  readonly provider: ProviderId;
  readonly audioMillis: number;
  readonly characters: number;
  readonly accruedNanoUsd: NanoUsd;
}

export async function insertMeter(tx: Tx, row: NewMeterRow): Promise<void> {
  await tx.orm.insert(meters).values({ ...row, checkedAt: sql`now()` });
}

/** Returns the row of a new meter, inserted with its hold, whose subject is the meter. */
export function meterInsert({
  sessionId,
  model,
  provider,
  unitPrice,
}: Pick<NewMeterRow, 'sessionId' | 'model' | 'provider'> & { readonly unitPrice: UnitPrice }): PartialInsert {
  return {
    text: (
      first,
      from,
    ) => `insert into meters (id, kind, org_id, mode, key_id, hold_id, started_at, checked_at, session_id, model, provider, unit_price)
      select subject_id, subject_kind, org_id, mode, key_id, id, created_at, now(), $${first}::text, $${first + 1}::text, $${first + 2}::text, $${first + 3}::text from ${from}`,
    values: [sessionId, model, provider, unitPrice.toString()],
  };
}

/**
 * Finds a meter of the organisation in either mode, by its id, or the latest meter of a session by the session's id.
 * Undefined also for a malformed id.
 */
export async function findMeter(db: Db, orgId: OrgId, id: string): Promise<MeterRow | undefined> {
  const isIt = isId('meter', id) ? eq(meters.id, id) : isId('session', id) ? eq(meters.sessionId, id) : undefined;
  if (!isIt) return undefined;
  const [row] = await db.orm
    .select()
    .from(meters)
    .where(and(isIt, eq(meters.orgId, orgId)))
    .orderBy(desc(meters.startedAt), desc(meters.id))
    .limit(1);
  return row;
}

/**
 * Writes the counts of many running meters in one statement, with the database's time: the clocks of two hosts may
 * differ by more than `listAbandonedMeters` allows.
 */
export async function writeMeterCounts(db: Db, counts: readonly MeterCount[]): Promise<void> {
  if (counts.length === 0) return;
  await db.query(
    `update meters set provider = c.provider, audio_millis = c.audio_millis, characters = c.characters, accrued_nano_usd = c.accrued, checked_at = now()
     from unnest($1::text[], $2::int[], $3::int[], $4::bigint[], $5::text[]) as c(id, audio_millis, characters, accrued, provider)
     where meters.id = c.id and meters.ended_at is null`,
    [
      counts.map(({ id }) => id),
      counts.map(({ audioMillis }) => audioMillis),
      counts.map(({ characters }) => characters),
      counts.map(({ accruedNanoUsd }) => accruedNanoUsd.toString()),
      counts.map(({ provider }) => provider),
    ],
  );
}

/** How a meter ended; the fields are those of its row. */
export interface MeterEnd {
  readonly costNanoUsd: NanoUsd;
  readonly outcome: MeterOutcome;
  readonly code?: string | undefined;
  readonly firstResultMs?: number | undefined;
  readonly attempts: readonly MeterAttempt[];
  readonly now: Date;
}

/**
 * Ends a meter and counts it in the daily sums. Resolves to false if it had already ended. `now` is also the time of
 * its charge, whose transaction has locked the account. The statement is plain SQL, because every generation of speech
 * ends here and the query builder takes longer than everything else.
 */
export async function endMeter(tx: Tx, count: MeterCount, end: MeterEnd): Promise<boolean> {
  const { rows } = await tx.query(
    `with ended as (
       update meters set provider = $2, audio_millis = $3, characters = $4, accrued_nano_usd = $5, cost_nano_usd = $6, outcome = $7, attempts = $8::jsonb, checked_at = now(), ended_at = $9, code = $10, first_result_ms = $11
       where id = $1 and ended_at is null returning *
     ), ${addingMeters('ended', '$9')} select id from ended`,
    [
      count.id,
      count.provider,
      count.audioMillis,
      count.characters,
      count.accruedNanoUsd.toString(),
      end.costNanoUsd.toString(),
      end.outcome,
      JSON.stringify(end.attempts),
      end.now,
      end.code ?? null,
      end.firstResultMs ?? null,
    ],
  );
  return rows.length > 0;
}

/**
 * Lists running meters whose counts were last written this long ago, because the process that counted them has ended.
 */
export async function listAbandonedMeters(
  db: Db,
  forMs: number,
  limit: number,
): Promise<{ meter: MeterRow; heldNanoUsd: NanoUsd }[]> {
  const before = sql`now() - ${forMs} * interval '1 millisecond'`;
  return db.orm
    .select({ meter: meters, heldNanoUsd: holds.amountNanoUsd })
    .from(meters)
    .innerJoin(holds, eq(holds.id, meters.holdId))
    .where(and(isNull(meters.endedAt), lt(meters.checkedAt, before)))
    .limit(limit);
}

export interface TranscriptionFunds {
  readonly available: NanoUsd;
  readonly heldByTranscriptions: NanoUsd;
  /** What is left of the spend limits of the key and of its project, in the period that the work counts in. */
  readonly limits: readonly LimitFunds[];
}

interface LimitFunds {
  readonly level: 'key' | 'project';
  /** The key, or the project. */
  readonly id: KeyId | ProjectId;
  readonly left: NanoUsd;
  readonly heldByTranscriptions: NanoUsd;
}

/**
 * Reads the remaining credits of the account and of the limits of the key and its project, and the holds of their
 * running transcriptions. Locks the account until the transaction ends. The period of a limit is that of `hold`, or the
 * current one without a hold. Work that began before there was a limit does not count against it.
 */
export async function lockTranscriptionFunds(
  tx: Tx,
  account: Account,
  keyId: KeyId,
  hold: HoldId | undefined,
  periods: Periods,
): Promise<TranscriptionFunds> {
  const [row] = await tx.orm
    .select({ available: accounts.availableNanoUsd })
    .from(accounts)
    .where(and(eq(accounts.orgId, account.orgId), eq(accounts.mode, account.mode)))
    .for('update');
  const { rows } = await tx.query(
    `with key as (
       select api_keys.*, coalesce(spend_key_id, id) as scope_id from api_keys where id = $3
     ), of_hold as (
       select key_period, project_id, project_period from holds where id = $4
     ), open as (
       select key_id, key_period, project_id, project_period, amount_nano_usd as amount from holds
       where org_id = $1 and mode = $2 and state = 'open' and subject_kind = 'transcription'
     ), scope as (
       select 'key' as level, key.id, key.scope_id, key.limit_nano_usd as limit_nano_usd,
         case when $4::text is null then $5::jsonb ->> key.limit_period else (select key_period from of_hold) end as period
       from key where key.limit_nano_usd is not null and key.limit_period is not null
       union all
       select 'project', projects.id, projects.id, projects.limit_nano_usd,
         case when $4::text is null then $5::jsonb ->> projects.limit_period else of_hold.project_period end
       from key left join of_hold on true
       join projects on projects.id = case when $4::text is null then key.project_id else of_hold.project_id end
       where projects.limit_nano_usd is not null and projects.limit_period is not null
     )
     select scope.level, scope.id, (scope.limit_nano_usd - coalesce(spending.spent_nano_usd, 0))::text as remaining,
       (select coalesce(sum(open.amount), 0)::text from open where case scope.level
         when 'key' then open.key_id = scope.id and open.key_period = scope.period
         else open.project_id = scope.id and open.project_period = scope.period end) as held,
       (select coalesce(sum(open.amount), 0)::text from open) as held_by_all
     from (values (1)) as one
     left join scope on scope.period is not null
     left join spending on spending.scope_id = scope.scope_id and spending.mode = $2 and spending.period = scope.period`,
    [account.orgId, account.mode, keyId, hold ?? null, JSON.stringify(periods)],
  );
  const limits = rows.flatMap(({ level, id, remaining, held }): LimitFunds[] => {
    if (level === null) return [];
    const left = BigInt(String(remaining));
    // Safe: the statement has only these levels, with their ids.
    return [
      {
        level: level as LimitFunds['level'],
        id: id as LimitFunds['id'],
        left: left > 0n ? left : 0n,
        heldByTranscriptions: BigInt(String(held)),
      },
    ];
  });
  return {
    available: row?.available ?? 0n,
    heldByTranscriptions: BigInt(String(rows[0]?.['held_by_all'] ?? 0)),
    limits,
  };
}
