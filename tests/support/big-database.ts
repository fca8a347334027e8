import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { createLedger } from '../../lib/billing/ledger';
import { countOpenHolds } from '../../lib/db/activity';
import { listAuditEntries } from '../../lib/db/audit';
import { findCharge, listCreditTransfers, sumRefunds } from '../../lib/db/credit-transfers';
import type { Database, Db } from '../../lib/db/database';
import { listKeys } from '../../lib/db/keys';
import { recountSpending } from '../../lib/db/spending';
import { listEntriesOfHold } from '../../lib/db/ledger';
import { listAbandonedMeters, lockTranscriptionFunds } from '../../lib/db/meters';
import { measureAlerts } from '../../lib/db/alerts';
import { listLedger, type LedgerFilter } from '../../lib/db/ledger-pages';
import { listModelHistory } from '../../lib/db/model-history';
import { listOrganizations } from '../../lib/db/organizations';
import { findRequestPosition, listRequests, searchWork } from '../../lib/db/requests';
import { searchKeys, searchVideos as searchVideosById, searchVideosOfRequest } from '../../lib/db/search';
import { listTransfersBetween, sumGrantedBefore } from '../../lib/db/statements';
import { takeRetriedVideo } from '../../lib/db/submitted-videos';
import { sumSpentByDay } from '../../lib/db/usage-days';
import { listModelPerformance, listUsageLines, reportUsage, sumSpentBefore } from '../../lib/db/usage-reports';
import { countStarts, listAttempts } from '../../lib/db/video-starts';
import { findVideoById, listVideos, searchVideos, type VideoRow } from '../../lib/db/videos';
import { listRecentDeliveries } from '../../lib/db/webhook-endpoints';
import { listDeliveries, listDeliveryAttempts, searchDeliveries, type DeliveryFilter } from '../../lib/db/webhooks';
import type { Account } from '../../lib/domain/caller';
import { utcDay, currentPeriods, type Clock } from '../../lib/domain/clock';
import type { AuditId, DeliveryId, EndpointId, HoldId, KeyId, OrgId, UserId, VideoId } from '../../lib/domain/ids';
import { createTestClock } from './clock';
import { keepHouse } from './housekeeping';
import { recordLog } from './log';

// A generated database of any size, and every list, search, sum and sweep that the product runs on it, with the plan that
// the database chooses. A new one is one more entry below.

export interface Size {
  /** Also of attempts, holds, deliveries, sessions and entries of the audit log. */
  readonly videos: number;
  readonly messages: number;
}

const PAGE = 21;
/** Also of API keys. */
const MAX_ORGANIZATIONS = 50_000;
export const account: Account = { orgId: 'org_big' as OrgId, mode: 'live' };
const key = { id: 'key_1' as KeyId, orgId: account.orgId, mode: account.mode, spendKeyId: null };
/** As random as an id of the product, which matters to an index. */
const idOf = (prefix: string, n: number) => `${prefix}_${createHash('md5').update(String(n)).digest('hex')}`;
export const videoId = (n: number) => idOf('video', n) as VideoId;
const since = new Date('2026-11-01T00:00:00Z');
const at = (n: number) => new Date(since.getTime() + n * 1000);
const DAY_MS = 86_400_000;
const USAGE_DAYS = 400;
const USAGE_KEYS = 20;
const USAGE_MODELS = 10;
const HISTORY_DAYS = 30;
const lastDay = new Date('2026-11-30T12:00:00Z');
const firstDay = utcDay(lastDay.getTime() - (HISTORY_DAYS - 1) * DAY_MS);

export const STARTS_OF_PROVIDER = 'the starts that a provider received in the last minute, and its running videos';

export interface BigQuery {
  readonly name: string;
  readonly run: (db: Database, middle: VideoRow) => Promise<readonly unknown[]>;
  /** The rows that it shows; absent if that depends on chance. */
  readonly shows?: number;
  /** Rows of its tables that it may read; by default twice what it shows. */
  readonly mayRead?: number;
}

const page = (name: string, order: 'asc' | 'desc', inTheMiddle: boolean): BigQuery => ({
  name,
  run: (db, middle) => listVideos(db, account, { limit: PAGE, order, ...(inTheMiddle ? { after: middle } : {}) }),
  shows: PAGE,
});
const found = (name: string, filter: Parameters<typeof searchVideos>[2], shows = PAGE): BigQuery => ({
  name: `the job list, ${name}`,
  run: (db) => searchVideos(db, account, filter, { limit: PAGE }),
  // Each with the key that made it.
  shows,
  mayRead: 4 * shows,
});

const ledger = (name: string, filter: LedgerFilter, shows: number, mayRead: number, after?: bigint): BigQuery => ({
  name: `the ledger, ${name}`,
  run: async (db) => (await listLedger(db, account, filter, PAGE, after)).rows,
  shows,
  mayRead,
});

/** A person with five favourites. */
const FAN = 'user_fan' as UserId;

const RARE_ENDPOINT = 'endpoint_rare' as EndpointId;
const delivered = (name: string, filter: DeliveryFilter, shows = PAGE): BigQuery => ({
  name: `the list of deliveries, ${name}`,
  run: (db) => searchDeliveries(db, account, filter, { limit: PAGE }),
  shows,
});

const logged = (
  name: string,
  filter: Parameters<typeof listRequests>[2],
  shows = PAGE,
  mayRead = Math.max(4 * shows, 2),
): BigQuery => ({
  name: `the log of requests, ${name}`,
  run: (db) => listRequests(db, account, filter, { limit: PAGE }),
  shows,
  mayRead,
});

export const bigQueries = ({ videos: many }: Size): readonly BigQuery[] => [
  page('the first page of videos', 'desc', false),
  page('the first page of videos, oldest first', 'asc', false),
  page('a page of videos in the middle', 'desc', true),
  page('a page of videos in the middle, oldest first', 'asc', true),
  found('of everything', {}),
  {
    ...found('a page in the middle', {}),
    run: (db, middle) => searchVideos(db, account, {}, { limit: PAGE, after: middle }),
  },
  found('of a rare status', { status: 'failed' }),
  found('of a status that no video has', { status: 'queued' }, 0),
  found('of a rare model', { model: 'rare' }),
  found('of a key that was rarely used', { keyId: 'key_rare' as KeyId }),
  found('of a span of time', { from: at(5_000), to: at(5_010) }, 10),
  found('of favourites', { favoritesOf: FAN, onlyFavorites: true }, 5),
  found('of everything, with the marks of a person', { favoritesOf: FAN }),
  found('of one request', { requestId: 'req_777' }, 1),
  found('by the beginning of an id', { search: videoId(777).slice(0, -4) }, 1),
  {
    name: 'the job list, by four digits of an id',
    run: (db) => searchVideos(db, account, { search: videoId(777).slice(0, 10) }, { limit: PAGE }),
    mayRead: 300,
  },
  found("by the provider's id of the job", { search: 'job_777' }, 1),
  // Each kind is read with the limit, and each row with the key that made it.
  logged('of everything', {}, PAGE, 8 * PAGE),
  {
    ...logged('a page in the middle', {}, PAGE, 8 * PAGE),
    run: async (db, middle) =>
      listRequests(db, account, {}, { limit: PAGE, after: (await findRequestPosition(db, account, middle.id))! }),
  },
  ...(['video', 'message', 'speech'] as const).map((kind) => logged(`of kind ${kind}`, { kind })),
  logged('of a rare status', { status: 'failed' }, PAGE, 8 * PAGE),
  ...(['queued', 'in_progress', 'partial', 'cancelled'] as const).map((status) =>
    logged(`of a status that no request has, ${status}`, { status }, 0),
  ),
  logged('of a rare model', { model: 'rare' }, PAGE, 8 * PAGE),
  logged('of a rare provider', { provider: 'rare' }, PAGE, 8 * PAGE),
  logged('of an error code', { code: 'upstream_timeout' }, PAGE, 8 * PAGE),
  logged('of a key that was rarely used', { keyId: 'key_rare' as KeyId }, PAGE, 8 * PAGE),
  logged('of a span of time', { from: at(5_000), to: at(5_003) }, 9, 40),
  logged('of one request', { search: 'req_777' }, 2),
  logged('of one message', { search: idOf('m', 777) }, 1),
  logged('of one session', { search: 'session_777' }, 1),
  logged('by the beginning of an id', { search: idOf('ctx', 777).slice(0, -4) }, 1),
  {
    name: 'the search for messages and sessions of both modes',
    run: (db) => searchWork(db, account.orgId, 'session_777', 6),
    shows: 1,
  },
  delivered('of everything', {}),
  delivered('of a rare state', { states: ['failed'] }),
  delivered('of a state that none has', { states: ['pending'] }, 0),
  delivered('of an endpoint', { endpointId: RARE_ENDPOINT }),
  delivered('of one id', { id: idOf('msg', 777) as DeliveryId }, 1),
  delivered('of a span of time', { from: at(5_000), to: at(5_010) }, 10),
  {
    name: 'the newest deliveries to each receiver',
    run: (db) => listRecentDeliveries(db, account),
    // 1,000 of the account, and 100 of its endpoint; each with its last attempt.
    mayRead: 2_500,
  },
  { name: 'the deliveries of a video', run: (db) => listDeliveries(db, account, videoId(777)), shows: 1 },
  {
    name: 'the attempts of deliveries',
    run: (db) => listDeliveryAttempts(db, [idOf('msg', 777) as DeliveryId]),
    shows: 1,
  },
  { name: 'the attempts of a video', run: (db) => listAttempts(db, videoId(777)), shows: 1 },
  {
    name: 'the first page of the audit log',
    run: (db) => listAuditEntries(db, account.orgId, {}, PAGE),
    shows: PAGE,
    mayRead: 5 * PAGE,
  },
  {
    name: 'a page of the audit log in the middle',
    run: (db) =>
      listAuditEntries(db, account.orgId, {}, PAGE, { at: at(many / 2), id: idOf('audit', many / 2) as AuditId }),
    shows: PAGE,
    mayRead: 5 * PAGE,
  },
  {
    name: 'the keys of an organisation',
    run: (db) => listKeys(db, account.orgId, { total: 'total', daily: 'd', weekly: 'w', monthly: 'm' }),
    shows: 5,
    mayRead: 10,
  },
  { name: 'the search for keys', run: (db) => searchKeys(db, account.orgId, 'key', 6), shows: 5 },
  {
    name: 'the search for videos of both modes',
    run: (db) => searchVideosById(db, account.orgId, videoId(777).slice(0, -4), 6),
    shows: 1,
  },
  {
    name: 'the search for videos of a request',
    run: (db) => searchVideosOfRequest(db, account.orgId, 'req_777', 6),
    shows: 1,
  },
  {
    name: 'the first page of credit transfers',
    run: async (db) => (await listCreditTransfers(db, account, PAGE)) ?? [],
    shows: PAGE,
  },
  {
    name: 'a page of credit transfers in the middle',
    run: async (db) => (await listCreditTransfers(db, account, PAGE, idOf('tr', many / 2))) ?? [],
    shows: PAGE,
  },
  // Each with its accounts; there are none here.
  {
    name: 'the first page of organisations',
    run: async (db) => (await listOrganizations(db, {}, { limit: PAGE, order: 'asc' }, firstDay)) ?? [],
    shows: PAGE,
  },
  {
    name: 'a page of organisations in the middle',
    run: async (db) =>
      (await listOrganizations(db, {}, { limit: PAGE, after: 'org_10000', order: 'desc' }, firstDay)) ?? [],
    shows: PAGE,
  },
  { name: 'the ledger of a video', run: (db) => listEntriesOfHold(db, account, idOf('hold', 777) as HoldId), shows: 1 },
  {
    name: 'the spending of each day',
    run: (db) => sumSpentByDay(db, account, firstDay),
    shows: HISTORY_DAYS,
    mayRead: HISTORY_DAYS * USAGE_KEYS * USAGE_MODELS,
  },
  {
    name: 'the performance of a model',
    run: (db) => listModelHistory(db, account, 'model 1', firstDay),
    shows: 1,
    mayRead: HISTORY_DAYS * (USAGE_KEYS + 10),
  },
  // Each entry with its account, hold, key, video and transfer. The entries are one second apart.
  ledger('the first page', {}, PAGE, 9 * PAGE),
  ledger('a page in the middle', {}, PAGE, 9 * PAGE, BigInt(many / 2)),
  ledger('of a span of time', { from: at(5_000), to: at(5_010) }, 10, 9_000),
  ledger('of a video', { subject: videoId(777) }, 1, 12),
  ledger('of the open holds', { open: true }, PAGE, 400),
  ledger('of grants', { kind: 'grant' }, 0, 10),
  // As many holds as are listed, as many entries as one page looks at, and their holds.
  ledger('of a key', { keyId: key.id }, PAGE, 1_001 + 2 * 3_000 + 9 * PAGE),
  // A hundred holds at most, each with an entry.
  ledger('of a key that was rarely used', { keyId: 'key_rare' as KeyId }, PAGE, 3 * 100 + 9 * PAGE),
  {
    name: 'the usage of each day and model',
    run: async (db) =>
      (await reportUsage(db, account, { from: firstDay, to: utcDay(lastDay.getTime()) }, {}, 'model', 'day', 100))
        .periods,
    shows: HISTORY_DAYS,
    mayRead: HISTORY_DAYS * USAGE_KEYS * USAGE_MODELS,
  },
  {
    name: 'the performance of all models',
    run: (db) => listModelPerformance(db, account, { from: firstDay, to: utcDay(lastDay.getTime()) }, {}),
    shows: USAGE_MODELS,
    mayRead: HISTORY_DAYS * USAGE_MODELS * (USAGE_KEYS + 10),
  },
  {
    name: 'the lines of a statement',
    run: (db) => listUsageLines(db, account, { from: firstDay, to: utcDay(lastDay.getTime()) }),
    shows: USAGE_KEYS * USAGE_MODELS,
    // And the keys of the lines.
    mayRead: (HISTORY_DAYS + 1) * USAGE_KEYS * USAGE_MODELS + MAX_ORGANIZATIONS,
  },
  {
    name: 'the spending before a statement',
    run: async (db) => [await sumSpentBefore(db, account, firstDay)],
    shows: 1,
    mayRead: USAGE_DAYS * USAGE_KEYS * USAGE_MODELS,
  },
  {
    name: 'the grants before a statement',
    run: async (db) => [await sumGrantedBefore(db, account, lastDay)],
    shows: 1,
  },
  { name: 'the transfers of a statement', run: (db) => listTransfersBetween(db, account, since, lastDay), shows: 0 },
  {
    name: 'the alerts of an account',
    run: (db) => measureAlerts(db, account, { day: firstDay, month: firstDay.slice(0, 7) }),
    shows: 0,
  },
  {
    name: 'the work that holds credits',
    run: async (db) => [await countOpenHolds(db, account)],
    shows: 1,
    mayRead: 100,
  },
  {
    name: 'the balances',
    run: async (db) => [
      await createLedger({ clock: { now: () => lastDay } as Clock }).balances(db, account, [
        { hold: idOf('hold', 5) as HoldId, used: 1n, reserved: 1n },
      ]),
    ],
    shows: 1,
  },
  {
    name: 'the spending of a key when its limit changes',
    run: (db) =>
      db.inTransaction(async (tx) => {
        await recountSpending(tx, key, { kind: 'key', id: key.id }, { period: 'total', since: null });
        return [1];
      }),
    shows: 1,
    mayRead: USAGE_DAYS * USAGE_MODELS + 200,
  },
  {
    name: 'the credits that running transcriptions hold',
    run: (db) =>
      db.inTransaction(async (tx) => [
        await lockTranscriptionFunds(tx, account, key.id, undefined, currentPeriods(new Date())),
      ]),
    shows: 1,
    mayRead: 100,
  },
  {
    name: 'the charge of a video',
    run: async (db) => [await findCharge(db, account, videoId(777))],
    shows: 1,
  },
  {
    name: 'the charge of a message',
    run: async (db) => [await findCharge(db, account, idOf('m', 777))],
    shows: 1,
  },
  {
    name: 'the refunds of a video',
    run: async (db) => [await sumRefunds(db, account, videoId(777))],
    shows: 1,
  },
  {
    name: STARTS_OF_PROVIDER,
    run: async (db) => [
      await countStarts(
        db,
        { provider: 'p', credentialId: null, model: null },
        { submitted: lastDay, preparing: lastDay },
      ),
    ],
    shows: 1,
    mayRead: 100,
  },
  {
    name: 'the video that an automatic retry repeats',
    run: async (db) => {
      const row = await takeRetriedVideo(db, { keyId: key.id, bodyHash: 'unknown', now: lastDay });
      return row ? [row] : [];
    },
    shows: 0,
  },
  { name: 'the sessions whose process has ended', run: (db) => listAbandonedMeters(db, 60_000, 100), shows: 0 },
];

export const findMiddle = async (db: Db, { videos }: Size): Promise<VideoRow> => {
  const row = await findVideoById(db, videoId(videos / 2));
  if (!row) throw new Error('The database is not filled.');
  return row;
};

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (...args: unknown[]) => Promise<unknown>;
interface Connection {
  query: Query;
  release: (broken?: Error) => void;
}
interface Listened {
  query: Query;
  connect: (...args: unknown[]) => Promise<Connection>;
}

/** The statements that `run` sends to the database, and its result. Control of transactions is left out. */
export async function listened<T>(
  db: Database,
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly statements: readonly Statement[] }> {
  const statements: Statement[] = [];
  const record = ([first, given]: unknown[]) => {
    // Safe: the driver takes a text or an object with one, and the values in the object or after it.
    const { text, values = given ?? [] } = (typeof first === 'string' ? { text: first } : first) as Partial<Statement>;
    if (text !== undefined && !/^(?:begin|commit|rollback)$/.test(text))
      statements.push({ text, values: values as unknown[] });
  };
  // Safe: drizzle keeps the pool that it was created with under this name.
  const pool = (db.orm as unknown as { $client: Listened }).$client;
  const { query, connect } = pool;
  pool.query = (...args) => {
    record(args);
    return query.apply(pool, args);
  };
  // With a callback it is the pool's own call, for a query that was recorded above.
  pool.connect = async (...args) => {
    if (args.length > 0) return connect.apply(pool, args);
    const client = await connect.call(pool);
    const { query: own, release } = client;
    client.query = (...given) => {
      record(given);
      return own.apply(client, given);
    };
    client.release = (broken) => {
      Object.assign(client, { query: own, release });
      release.call(client, broken);
    };
    return client;
  };
  try {
    return { result: await run(), statements };
  } finally {
    Object.assign(pool, { query, connect });
  }
}

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Rows of tables that were read, including those that did not match. A small joined table (keys, users) may be read as
 * it is.
 */
export function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  if (node['Relation Name'] === undefined) return below;
  const looked =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return below + looked * node['Actual Loops'];
}

/** The plan of a statement. With `analyze` the statement is run, and the plan has the numbers of rows. */
export async function explain(db: Db, { text, values }: Statement, analyze = ''): Promise<PlanNode> {
  const { rows } = await db.query(`explain (${analyze && `${analyze}, `}format json) ${text}`, [...values]);
  // Safe: the form of Postgres' answer.
  return (rows[0]!['QUERY PLAN'] as [{ Plan: PlanNode }])[0].Plan;
}

/** The tables that grow with the traffic. */
const BIG_TABLES = [
  'videos',
  'video_attempts',
  'messages',
  'meters',
  'holds',
  'ledger_entries',
  'webhook_deliveries',
  'webhook_attempts',
  'usage_days',
  'audit_entries',
];

/** The big tables that a plan reads from the beginning to the end. */
export function scannedTables(node: PlanNode): string[] {
  const table = node['Relation Name'];
  const own = table !== undefined && node['Node Type'] === 'Seq Scan' && BIG_TABLES.includes(table) ? [table] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedTables)];
}

/**
 * Runs the query, explains each of its statements and expects that they read no more rows than the query needs.
 */
export async function expectFewRowsRead(
  db: Database,
  middle: VideoRow,
  { run, shows, mayRead = Math.max(2 * (shows ?? 0), 2) }: BigQuery,
): Promise<void> {
  const { result, statements } = await listened(db, () => run(db, middle));
  if (shows !== undefined) expect(result).toHaveLength(shows);
  expect(statements.length).toBeGreaterThan(0);
  const plans: PlanNode[] = [];
  for (const statement of statements) plans.push(await explain(db, statement, 'analyze'));
  expect(
    plans.reduce((sum, plan) => sum + rowsRead(plan), 0),
    JSON.stringify(plans, undefined, 1),
  ).toBeLessThanOrEqual(mayRead);
}

/** Runs the housekeeping and expects that it reads no big table from the beginning to the end. */
export async function expectSweepByIndex(db: Database): Promise<void> {
  const { statements } = await listened(db, () => sweep(db, createTestClock()));
  expect(statements.length).toBeGreaterThan(15);
  for (const statement of statements)
    if (/^\s*(?:select|with|insert|update|delete)\b/i.test(statement.text))
      expect(scannedTables(await explain(db, statement)), statement.text).toEqual([]);
}

/** Runs all housekeeping of the product; nothing is old enough to be deleted. */
async function sweep(db: Database, clock: Clock): Promise<void> {
  const log = recordLog();
  await keepHouse({ db, clock, log });
  const failed = log.lines.filter(({ level }) => level !== 'info');
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
}

/** Fills an empty database: one organisation with this many of everything, and a second mode with twenty videos of one instant. */
export async function fill(db: Database, { videos, messages }: Size): Promise<void> {
  const series = `generate_series(1, ${videos}) n`;
  const many = `generate_series(1, ${Math.min(videos, MAX_ORGANIZATIONS)}) n`;
  const at = `timestamptz '${since.toISOString()}' + n * interval '1 second'`;
  const id = (prefix: string) => `'${prefix}_' || md5(n::text)`;
  const video = (mode: string, when: string) => `
    insert into videos (id, org_id, key_id, mode, request_id, status, model, candidates, seconds, size, quote_nano_usd, quote_lines, hold_id, provider_job_id, provider, error_code, deadline_at, body_hash, created_at, completed_at)
    select ${id('video')}, 'org_big', case when n % 500 = 0 then 'key_rare' else 'key_1' end, '${mode}', 'req_' || n, case when n % 400 = 0 then 'failed' else 'completed' end,
      case when n % 300 = 0 then 'rare' else 'common' end, '[]', '5', '1280x720', 1, '[]', ${id('hold')}, 'job_' || n, case when n % 300 = 0 then 'rare' else 'p' end, case when n % 400 = 0 then 'upstream_timeout' end, ${when}, 'hash' || n, ${when}, ${when}`;
  const statements = [
    `insert into organizations (id, name, webhook_secret) select id, id, 'sealed' from unnest(array['org_big', 'org_other']) id`,
    `${video('live', at)} from ${series}`,
    `${video('test', `timestamptz '${since.toISOString()}'`)} from generate_series(${videos + 1}, ${videos + 20}) n`,
    // Of others, too: many marks must not be read.
    `insert into favorite_videos (owner_id, video_id, created_at) select 'user_' || n, ${id('video')}, now() from ${series}`,
    `insert into favorite_videos (owner_id, video_id, created_at) select '${FAN}', ${id('video')}, now() from generate_series(100, 104) n`,
    `insert into video_attempts (video_id, attempt, provider, upstream_model, submitted_at, ended_at, outcome) select ${id('video')}, 1, 'p', 'm', ${at}, ${at}, 'accepted' from ${series}`,
    `insert into messages (id, org_id, key_id, mode, request_id, model, provider, code, attempts, streamed, outcome, input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, web_searches, estimated, cost_nano_usd, total_ms, created_at)
      select ${id('m')}, 'org_big', case when n % 500 = 0 then 'key_rare' else 'key_1' end, 'live', 'req_' || n, case when n % 300 = 0 then 'rare' else 'common' end, case when n % 300 = 0 then 'rare' else 'p' end, case when n % 400 = 0 then 'upstream_timeout' end, '[]', false, case when n % 400 = 0 then 'failed' else 'completed' end, 1, 0, 0, 0, 1, 0, false, 1, 1, ${at} from generate_series(1, ${messages}) n`,
    `insert into meters (id, kind, org_id, mode, key_id, session_id, model, provider, hold_id, started_at, checked_at, ended_at, outcome, code)
      select ${id('ctx')}, 'speech', 'org_big', 'live', case when n % 500 = 0 then 'key_rare' else 'key_1' end, 'session_' || n, case when n % 300 = 0 then 'rare' else 'common' end, case when n % 300 = 0 then 'rare' else 'p' end, 'h', ${at}, ${at}, ${at}, case when n % 400 = 0 then 'failed' else 'done' end, case when n % 400 = 0 then 'upstream_timeout' end from ${series}`,
    `insert into webhook_endpoints (id, org_id, mode, url, events, secret, created_at)
      values ('${RARE_ENDPOINT}', 'org_big', 'live', 'https://example.com', '["video.completed"]', 'sealed', now())`,
    `insert into webhook_deliveries (id, org_id, mode, video_id, event, endpoint_id, url, created_at, state, attempts)
      select ${id('msg')}, 'org_big', 'live', ${id('video')}, 'video.completed', case when n % 200 = 0 then '${RARE_ENDPOINT}' end, 'https://example.com', ${at}, case when n % 400 = 0 then 'failed' else 'delivered' end, 1 from ${series}`,
    `insert into webhook_attempts (delivery_id, attempt, latency_ms) select ${id('msg')}, 1, 5 from ${series}`,
    `insert into audit_entries (id, org_id, action, at) select ${id('audit')}, 'org_big', 'key.created', ${at} from ${series}`,
    `insert into api_keys (id, org_id, mode, name, hash, prefix, last_four, scopes)
      select 'key_' || n, case when n <= 5 then 'org_big' else 'org_other' end, 'live', 'key ' || n, 'hash' || n, 'pb_live_', '0000', '{}' from ${many}`,
    `insert into organizations (id, name, webhook_secret, created_at) select 'org_' || n, 'o', 'sealed', ${at} from ${many}`,
    `insert into credit_transfers (id, org_id, mode, kind, amount_nano_usd, reference, reason, available_nano_usd, created_at)
      select ${id('tr')}, 'org_big', 'live', 'grant', 1, 'ref' || n, 'r', 1, ${at} from ${series}`,
    `insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, hold_id, created_at)
      select ${id('tr')}, 'hold', 'org_big', 'live', 'held', 1, ${id('hold')}, ${at} from ${series}`,
    `insert into accounts (org_id, mode) values ('org_big', 'live')`,
    `insert into holds (id, org_id, mode, key_id, subject_kind, subject_id, amount_nano_usd, state, created_at, resolved_at)
      select ${id('hold')}, 'org_big', 'live', case when n % 500 = 0 and n <= 50000 then 'key_rare' else 'key_1' end, 'video', ${id('video')}, 1, case when n <= 50 then 'open' else 'captured' end, ${at}, case when n <= 50 then null else ${at} end from ${series}`,
    `insert into usage_days (org_id, mode, day, kind, key_id, model, provider, finished, succeeded, cost_nano_usd)
      select 'org_big', 'live', date '${utcDay(lastDay.getTime())}' - day, 'message', 'key_' || key, 'model ' || model, 'p', 5, 5, 7
      from generate_series(0, ${USAGE_DAYS - 1}) day, generate_series(1, ${USAGE_KEYS}) key, generate_series(1, ${USAGE_MODELS}) model`,
    `insert into usage_durations (org_id, mode, model, day, provider, bucket, count)
      select org, 'live', 'model ' || model, date '${utcDay(lastDay.getTime())}' - day, 'p', bucket, 5
      from unnest(array['org_big', 'org_other', 'org_1', 'org_2', 'org_3', 'org_4']) org, generate_series(0, 99) day, generate_series(1, ${USAGE_MODELS}) model, generate_series(1, 10) bucket`,
    'analyze',
  ];
  for (const text of statements) await db.query(text);
}

/** Adds a thousand videos whose first attempt has failed and that wait for another one. They have no job. */
export async function addWaiting(db: Db): Promise<void> {
  const series = 'generate_series(1, 1000) n';
  await db.query(
    `insert into videos (id, org_id, key_id, mode, request_id, model, candidates, seconds, size, quote_nano_usd, quote_lines, hold_id, provider, deadline_at, body_hash)
     select 'video_waits_' || n, 'org_other', 'key_other', 'live', 'req', 'common', '[]', '5', '1280x720', 1, '[]', 'hold', 'p', now(), 'waits' || n from ${series}`,
  );
  await db.query(
    `insert into video_attempts (video_id, attempt, provider, upstream_model, submitted_at, ended_at, outcome)
     select 'video_waits_' || n, 1, 'p', 'm', timestamptz '${since.toISOString()}', now(), 'failed' from ${series}`,
  );
  await db.query('analyze videos, video_attempts');
}
