import type { Account } from '../domain/caller';
import { isId, type HoldId, type KeyId, type TransferId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { Db } from './database';
import type { HoldState, HoldSubject, TransferKind } from './schema/index';

// Pages of an account's ledger, one row for each transfer, newest first. Every movement locks the account before it
// takes the ids of its entries, so the entries of an account are in the order in which its balances changed, and those
// of one transfer follow each other.

/** The maximum number of entries of one transfer: a charge also gives the rest of its hold back. */
const MAX_ENTRIES = 3;
/**
 * How many entries one page reads if no index serves the filter. A few are read first, because that fills most pages;
 * if it does not, many are read.
 */
const SCANNED_ENTRIES = [3_000, 10_000] as const;
/** Up to this number of holds of a key, its entries are found through the holds. */
const MAX_LISTED_HOLDS = 1_000;
/** How much the times of entries may deviate from their order, because processes have their own clocks. */
const CLOCK_SKEW_MS = 3_600_000;
/** The search for a time stops once this many ids are left. */
const PLACE_PRECISION = 1_000;
const SHOWN_MESSAGES = 3;

export interface LedgerFilter {
  readonly kind?: TransferKind | undefined;
  readonly keyId?: KeyId | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The id of a hold, a video, a message, an audio session or one of its generations, or a transfer. */
  readonly subject?: string | undefined;
  /** Only holds that are open now. */
  readonly open?: boolean | undefined;
}

/** The next page begins below this entry. */
export type EntryPlace = bigint;

export interface LedgerMessage {
  readonly id: string;
  readonly model: string;
  readonly cost: NanoUsd;
}

/** One transfer, with what it changed and what caused it. */
export interface LedgerRow {
  readonly id: TransferId;
  readonly kind: TransferKind;
  readonly at: Date;
  readonly available: NanoUsd;
  readonly held: NanoUsd;
  readonly spent: NanoUsd;
  readonly hold?: {
    readonly id: HoldId;
    readonly state: HoldState;
    readonly subject: HoldSubject;
    /** The id of a video or meter. */
    readonly subjectId: string;
    readonly keyId: KeyId;
    readonly keyName: string | null;
    /** Null if the work was deleted. */
    readonly model: string | null;
    readonly isDeleted: boolean;
    readonly sessionId: string | null;
    /** The messages that were charged to the hold: how many, and the first ones. */
    readonly messageCount: number;
    readonly messages: readonly LedgerMessage[];
  };
  /** The reference of a grant, an adjustment or a refund. */
  readonly reference: string | null;
  readonly reason: string | null;
  readonly refundedSubject: string | null;
}

export interface LedgerRows {
  readonly rows: readonly LedgerRow[];
  /** Undefined if there are no more entries. */
  readonly next: EntryPlace | undefined;
  /** The balances of the account at the same instant as the rows. */
  readonly balances: { readonly available: NanoUsd; readonly held: NanoUsd };
  /** No entry since this time was deleted by age. Undefined if none was deleted at all. */
  readonly completeSince: Date | undefined;
}

/**
 * Returns at most `limit` transfers below `after`; fewer if a filter matches only a few of the entries that one page
 * reads.
 */
export async function listLedger(
  db: Db,
  account: Account,
  filter: LedgerFilter,
  limit: number,
  after?: EntryPlace,
): Promise<LedgerRows> {
  const { keyId, kind } = filter;
  const holdsOfKey = keyId === undefined ? undefined : await listHoldsOfKey(db, account, keyId);
  const read = (scanned: number) => readPage(db, account, filter, { limit, scanned, holdsOfKey, after });
  const isScan = (keyId !== undefined && holdsOfKey === undefined) || isFrequent(kind);
  if (!isScan) return read(MAX_ENTRIES * (limit + 1));
  const [few, many] = SCANNED_ENTRIES;
  const page = await read(few);
  const isComplete = page.rows.length === limit || page.next === undefined;
  return isComplete ? page : read(many);
}

/** Returns the holds of a key; undefined if there are too many. */
async function listHoldsOfKey(db: Db, { orgId, mode }: Account, keyId: KeyId): Promise<HoldId[] | undefined> {
  const { rows } = await db.query(
    `select id from holds where org_id = $1 and mode = $2 and key_id = $3 limit ${MAX_LISTED_HOLDS + 1}`,
    [orgId, mode, keyId],
  );
  return rows.length > MAX_LISTED_HOLDS ? undefined : rows.map(({ id }) => id as HoldId); // Safe: the type of the column.
}

interface PageReading {
  readonly limit: number;
  /** The number of entries that the page reads. */
  readonly scanned: number;
  readonly holdsOfKey: readonly HoldId[] | undefined;
  readonly after: EntryPlace | undefined;
}

async function readPage(
  db: Db,
  account: Account,
  filter: LedgerFilter,
  { limit, scanned, holdsOfKey, after }: PageReading,
): Promise<LedgerRows> {
  const { kind, keyId, from, to, subject } = filter;
  const values: unknown[] = [account.orgId, account.mode];
  const given = (value: unknown) => `$${values.push(value)}`;
  const own = 'org_id = $1 and mode = $2';
  const ofSome: string[] = [];
  if (subject !== undefined) {
    const { holds, transfers } = await findMovers(db, account, subject);
    ofSome.push(`(hold_id = any(${given(holds)}::text[]) or transfer_id = any(${given(transfers)}::text[]))`);
  }
  if (holdsOfKey) ofSome.push(`hold_id = any(${given(holdsOfKey)}::text[])`);
  if (filter.open) ofSome.push(`hold_id in (select id from holds where ${own} and state = 'open')`);
  const inSource = [
    ...(after === undefined ? [] : [`id < ${given(after.toString())}`]),
    ...(from ? [`id >= ${given((await findPlace(db, account, from, 'before')).toString())}`] : []),
    ...(to ? [`id < ${given((await findPlace(db, account, to, 'after')).toString())}`] : []),
    ...(from ? [`created_at >= ${given(from.toISOString())}`] : []),
    ...(to ? [`created_at < ${given(to.toISOString())}`] : []),
    // The kinds are written out, so that their index can be used.
    ...(kind !== undefined && !isFrequent(kind) ? [`kind = '${kind}' and kind in ('grant', 'adjust', 'refund')`] : []),
  ];
  const matching = [
    'transfer_id is distinct from (select transfer_id from edge)',
    ...(isFrequent(kind) ? [`kind = ${given(kind)}`] : []),
    ...(keyId === undefined || holdsOfKey
      ? []
      : [
          // Looks up each hold once, by its primary key. A join would read the whole table, or each hold again for
          // every entry.
          `(hold_id in (select hold_id from (select distinct hold_id from seen) own where (select key_id from holds where id = own.hold_id) = ${given(keyId)})) is true`,
        ]),
  ];
  const { rows } = await db.query(
    `with source as ${ofSome.length > 0 ? 'materialized' : 'not materialized'} (
       select * from ledger_entries where ${[own, ...ofSome].join(' and ')}
     ), seen as materialized (
       select * from source where ${[own, ...inSource].join(' and ')} order by id desc limit ${scanned}
     ), edge as (
       -- The page may have cut this transfer, so it belongs to the next one.
       select transfer_id, (select max(id) from seen where seen.transfer_id = last.transfer_id) as id
       from (select transfer_id from seen order by id limit 1) last where (select count(*) from seen) = ${scanned}
     ), page as (
       select transfer_id, kind, hold_id, created_at, max(reference) as reference, min(id) as place,
         coalesce(sum(amount_nano_usd) filter (where bucket = 'available'), 0) as available,
         coalesce(sum(amount_nano_usd) filter (where bucket = 'held'), 0) as held,
         coalesce(sum(amount_nano_usd) filter (where bucket = 'revenue'), 0) as spent
       from seen where ${matching.join(' and ')}
       group by transfer_id, kind, hold_id, created_at order by place desc limit ${limit + 1}
     )
     select page.*, account.available_nano_usd as account_available, account.held_nano_usd as account_held,
       (select id from edge) as edge, deleted.until as deleted_until, h.state, h.subject_kind, h.subject_id, h.key_id, k.name as key_name,
       coalesce(v.model, m.model) as model, v.deleted_at is not null as is_deleted, m.session_id,
       charged.count as message_count, charged.messages, t.reference as transfer_reference, t.reason, t.subject
     from (select 1) one left join accounts account on ${own.replaceAll(/(\w+) =/g, 'account.$1 =')}
       left join page on true
       cross join (select (max(day) + 1)::timestamp at time zone 'UTC' as until from ledger_days where ${own}) deleted
       -- One row each, by its key: the tables are large, and the page is small.
       left join lateral (select * from holds where id = page.hold_id limit 1) h on true
       left join api_keys k on k.id = h.key_id and k.org_id = $1
       left join lateral (select model, deleted_at from videos where h.subject_kind = 'video' and id = h.subject_id limit 1) v on true
       left join lateral (
         select model, session_id from meters where h.subject_kind in ('transcription', 'speech') and id = h.subject_id limit 1
       ) m on true
       left join lateral (select reference, reason, subject from credit_transfers where id = page.transfer_id limit 1) t on true
       left join lateral (
         select count(*) as count,
           jsonb_agg(jsonb_build_array(id, model, cost_nano_usd::text) order by turn) filter (where turn <= ${SHOWN_MESSAGES}) as messages
         from (
           select id, model, cost_nano_usd, row_number() over (order by created_at, id) as turn
           from messages where hold_id = h.id and h.subject_kind = 'message'
         ) those
       ) charged on true
     order by page.place desc`,
    values,
  );
  const found = rows.filter((row) => row['transfer_id'] !== null);
  const last = found.length > limit ? found[limit - 1]?.['place'] : undefined;
  const edge = rows[0]?.['edge'];
  const deletedUntil = (rows[0]?.['deleted_until'] ?? null) as string | Date | null; // Safe: an instant.
  return {
    rows: found.slice(0, limit).map(rowOf),
    next: last !== undefined ? nano(last) : typeof edge === 'string' ? nano(edge) + 1n : undefined,
    balances: { available: nano(rows[0]?.['account_available']), held: nano(rows[0]?.['account_held']) },
    completeSince: deletedUntil === null ? undefined : new Date(new Date(deletedUntil).getTime() + CLOCK_SKEW_MS),
  };
}

/** The transfer kinds that are so frequent in an account that entries of other kinds are rare among them. */
const FREQUENT: ReadonlySet<TransferKind> = new Set(['hold', 'capture', 'release']);
const isFrequent = (kind: TransferKind | undefined): boolean => kind !== undefined && FREQUENT.has(kind);

/** Returns the holds and transfers of one piece of work. */
async function findMovers(
  db: Db,
  { orgId, mode }: Account,
  subject: string,
): Promise<{ readonly holds: readonly string[]; readonly transfers: readonly string[] }> {
  if (isId('hold', subject)) return { holds: [subject], transfers: [] };
  if (isId('transfer', subject)) return { holds: [], transfers: [subject] };
  const holds = isId('video', subject)
    ? `select id from holds where subject_kind = 'video' and subject_id = $3 and org_id = $1 and mode = $2`
    : isId('session', subject)
      ? 'select hold_id from meters where session_id = $3 and org_id = $1 and mode = $2'
      : isId('meter', subject)
        ? 'select hold_id from meters where id = $3 and org_id = $1 and mode = $2'
        : 'select hold_id from messages where id = $3 and org_id = $1 and mode = $2 and hold_id is not null';
  const { rows } = await db.query(
    `select array(${holds}) as holds, array(select id from credit_transfers where subject = $3 and org_id = $1 and mode = $2) as transfers`,
    [orgId, mode, subject],
  );
  // Safe: arrays of ids.
  return rows[0] as { holds: string[]; transfers: string[] };
}

/**
 * Finds a place in the account's entries: no entry before it is later than `time`, or no entry after it is earlier.
 * Entries have no index by time but are almost in its order, so the place is found by bisection.
 */
async function findPlace(db: Db, { orgId, mode }: Account, time: Date, side: 'before' | 'after'): Promise<EntryPlace> {
  const { rows } = await db.query(
    `with recursive search as (
       select min(id) as low, max(id) + 1 as high from ledger_entries where org_id = $1 and mode = $2
       union all
       select case when probe.created_at < time then probe.id else low end, case when probe.created_at < time then high else middle end
       from search cross join (select $3::timestamptz + $4::float8 * interval '1 millisecond' as time) wanted
         cross join lateral (select (low + high) / 2 as middle) half
         left join lateral (
           select id, created_at from ledger_entries where org_id = $1 and mode = $2 and id >= middle and id < high order by id limit 1
         ) probe on true
       where high - low > ${PLACE_PRECISION}
     )
     select ${side === 'before' ? 'max(low)' : 'min(high)'} as place from search`,
    [orgId, mode, time.toISOString(), side === 'before' ? -CLOCK_SKEW_MS : CLOCK_SKEW_MS],
  );
  return nano(rows[0]?.['place']);
}

const nano = (value: unknown): bigint => BigInt(String(value ?? 0));
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function rowOf(row: Readonly<Record<string, unknown>>): LedgerRow {
  // Safe here and below: the columns have these types.
  const messages = (row['messages'] ?? []) as readonly (readonly [string, string, string])[];
  return {
    id: row['transfer_id'] as TransferId,
    kind: row['kind'] as TransferKind,
    at: new Date(row['created_at'] as string | Date),
    available: nano(row['available']),
    held: nano(row['held']),
    spent: nano(row['spent']),
    ...(row['subject_kind'] !== null && {
      hold: {
        id: row['hold_id'] as HoldId,
        state: row['state'] as HoldState,
        subject: row['subject_kind'] as HoldSubject,
        subjectId: String(row['subject_id']),
        keyId: row['key_id'] as KeyId,
        keyName: textOf(row['key_name']),
        model: textOf(row['model']),
        isDeleted: row['is_deleted'] === true,
        sessionId: textOf(row['session_id']),
        messageCount: Number(row['message_count']),
        messages: messages.map(([id, model, cost]) => ({ id, model, cost: BigInt(cost) })),
      },
    }),
    reference: textOf(row['transfer_reference']) ?? textOf(row['reference']),
    reason: textOf(row['reason']),
    refundedSubject: textOf(row['subject']),
  };
}
