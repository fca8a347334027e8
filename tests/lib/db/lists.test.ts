import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listLatestMessages, listLatestMeters, listLatestVideos } from '../../../lib/db/activity';
import { listAuditEntries } from '../../../lib/db/audit';
import type { Database, Db } from '../../../lib/db/database';
import { listCreditTransfers } from '../../../lib/db/credit-transfers';
import { listKeys } from '../../../lib/db/keys';
import { listEntriesOfHold } from '../../../lib/db/ledger';
import { searchKeys, searchVideos as searchVideosById } from '../../../lib/db/search';
import { listOrganizations } from '../../../lib/db/organizations';
import { findVideoById, listAttempts, listVideos, searchVideos, type VideoRow } from '../../../lib/db/videos';
import { listDeliveries, listDeliveryAttempts } from '../../../lib/db/webhooks';
import type { Account } from '../../../lib/domain/caller';
import type { AuditId, DeliveryId, HoldId, KeyId, OrgId, VideoId } from '../../../lib/domain/ids';
import { openTestDatabase } from '../../support/database';
import { openDatabaseAt, startPostgres } from '../../support/postgres';

// Every list reads its page and not the table: the database explains the statement that the list sends, over so many
// rows that reading them all would be a different plan. A new list is one more entry below.

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const MANY = 20_000;
const PAGE = 21;
const account: Account = { orgId: 'org_big' as OrgId, mode: 'live' };
const idOf = (prefix: string, n: number) => `${prefix}_${String(n).padStart(32, '0')}`;
const videoId = (n: number) => idOf('video', n) as VideoId;
const since = new Date('2026-11-01T00:00:00Z');
const at = (n: number) => new Date(since.getTime() + n * 1000);

interface List {
  readonly name: string;
  readonly run: (db: Db, middle: VideoRow) => Promise<readonly unknown[]>;
  /** The rows that it shows. */
  readonly shows: number;
  /** Rows of its tables that it may read; by default twice what it shows. */
  readonly mayRead?: number;
}

const page = (name: string, order: 'asc' | 'desc', inTheMiddle: boolean): List => ({
  name,
  run: (db, middle) => listVideos(db, account, { limit: PAGE, order, ...(inTheMiddle ? { after: middle } : {}) }),
  shows: PAGE,
});
const found = (name: string, filter: Parameters<typeof searchVideos>[2], shows = PAGE): List => ({
  name: `the job list, ${name}`,
  run: (db) => searchVideos(db, account, filter, { limit: PAGE }),
  // Each with the key that made it.
  shows,
  mayRead: 4 * shows,
});

const lists: readonly List[] = [
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
  found('of one request', { requestId: 'req_777' }, 1),
  found('by the beginning of an id', { search: videoId(777).slice(0, -1) }, 10),
  found("by the provider's id of the job", { search: 'job_777' }, 1),
  { name: 'the latest videos', run: (db) => listLatestVideos(db, account, 10), shows: 10 },
  { name: 'the latest messages', run: (db) => listLatestMessages(db, account, 10), shows: 10 },
  { name: 'the latest sessions', run: (db) => listLatestMeters(db, account, 10), shows: 10 },
  { name: 'the deliveries of an account', run: (db) => listDeliveries(db, account), shows: 100 },
  { name: 'the deliveries of a video', run: (db) => listDeliveries(db, account, videoId(777)), shows: 1 },
  {
    name: 'the attempts of deliveries',
    run: (db) => listDeliveryAttempts(db, [idOf('msg', 777) as DeliveryId]),
    shows: 1,
  },
  { name: 'the attempts of a video', run: (db) => listAttempts(db, videoId(777)), shows: 1 },
  {
    name: 'the first page of the audit log',
    run: (db) => listAuditEntries(db, account.orgId, PAGE),
    shows: PAGE,
    mayRead: 3 * PAGE,
  },
  {
    name: 'a page of the audit log in the middle',
    run: (db) =>
      listAuditEntries(db, account.orgId, PAGE, { at: at(MANY / 2), id: idOf('audit', MANY / 2) as AuditId }),
    shows: PAGE,
    mayRead: 3 * PAGE,
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
    run: (db) => searchVideosById(db, account.orgId, videoId(777).slice(0, -1), 6),
    shows: 6,
    mayRead: 20,
  },
  {
    name: 'the first page of credit transfers',
    run: async (db) => (await listCreditTransfers(db, account, PAGE)) ?? [],
    shows: PAGE,
  },
  {
    name: 'a page of credit transfers in the middle',
    run: async (db) => (await listCreditTransfers(db, account, PAGE, idOf('tr', MANY / 2))) ?? [],
    shows: PAGE,
  },
  // Each with its accounts; there are none here.
  {
    name: 'the first page of organisations',
    run: async (db) => (await listOrganizations(db, PAGE)) ?? [],
    shows: PAGE,
  },
  {
    name: 'a page of organisations in the middle',
    run: async (db) => (await listOrganizations(db, PAGE, `org_${MANY / 2}`)) ?? [],
    shows: PAGE,
  },
  { name: 'the ledger of a video', run: (db) => listEntriesOfHold(db, account, idOf('hold', 777) as HoldId), shows: 1 },
];

describe('on the embedded database', () => suite(openTestDatabase));
describe.skipIf(!postgres)('on Postgres', () => suite(async () => openDatabaseAt(await postgres!.createDatabase())));

function suite(open: () => Promise<Database>): void {
  let db: Database;
  let middle: VideoRow;
  beforeAll(async () => {
    db = await open();
    await fill(db);
    middle = (await findVideoById(db, videoId(MANY / 2)))!;
  }, 120_000);
  afterAll(() => db.close());

  it.each(lists)(
    '$name is read with an index, and no more than the page',
    async ({ run, shows, mayRead = Math.max(2 * shows, 2) }) => {
      const { rows, statements } = await listened(db, () => run(db, middle));
      expect(rows).toHaveLength(shows);
      expect(statements.length).toBeGreaterThan(0);
      const plans: PlanNode[] = [];
      for (const { text, values } of statements) {
        const explained = await db.query(`explain (analyze, format json) ${text}`, [...values]);
        plans.push((explained.rows[0]!['QUERY PLAN'] as [{ Plan: PlanNode }])[0].Plan);
      }
      expect(
        plans.reduce((sum, plan) => sum + rowsRead(plan), 0),
        JSON.stringify(plans, undefined, 1),
      ).toBeLessThanOrEqual(mayRead);
    },
  );

  it('every page begins after the end of the one before, in both directions, even among videos of one instant', async () => {
    const oneInstant: Account = { ...account, mode: 'test' };
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      let after: VideoRow | undefined;
      for (;;) {
        const rows = await listVideos(db, oneInstant, { limit: 7, order, ...(after ? { after } : {}) });
        if (rows.length === 0) break;
        seen.push(...rows.map(({ id }) => id));
        after = rows.at(-1);
      }
      const expected = Array.from({ length: 20 }, (_, n) => idOf('video', MANY + 1 + n));
      expect(seen).toEqual(order === 'asc' ? expected : expected.toReversed());
    }
  });
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements that `run` sends to the database, and its result. */
async function listened<T>(db: Database, run: () => Promise<T>): Promise<{ rows: T; statements: Statement[] }> {
  const statements: Statement[] = [];
  // Safe: drizzle keeps the pool that it was created with under this name.
  const pool = (db.orm as unknown as { $client: { query: (...args: unknown[]) => Promise<unknown> } }).$client;
  const query = pool.query;
  pool.query = function listening(...args) {
    const [first, values = []] = args as [string | { text: string }, unknown[]?];
    statements.push({ text: typeof first === 'string' ? first : first.text, values });
    return query.apply(pool, args);
  };
  try {
    return { rows: await run(), statements };
  } finally {
    pool.query = query;
  }
}

interface PlanNode {
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
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  if (node['Relation Name'] === undefined) return below;
  const looked =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return below + looked * node['Actual Loops'];
}

/** One organisation with this many of everything, and a second mode with twenty videos of one instant. */
async function fill(db: Database): Promise<void> {
  const series = `generate_series(1, ${MANY}) n`;
  const at = `timestamptz '${since.toISOString()}' + n * interval '1 second'`;
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 32, '0')`;
  const video = (mode: string, when: string) => `
    insert into videos (id, org_id, key_id, mode, request_id, status, model, candidates, seconds, size, quote_nano_usd, quote_lines, hold_id, provider_job_id, deadline_at, body_hash, created_at, completed_at)
    select ${id('video')}, 'org_big', case when n % 500 = 0 then 'key_rare' else 'key_1' end, '${mode}', 'req_' || n, case when n % 400 = 0 then 'failed' else 'completed' end,
      case when n % 300 = 0 then 'rare' else 'common' end, '[]', '5', '1280x720', 1, '[]', ${id('hold')}, 'job_' || n, ${when}, 'hash' || n, ${when}, ${when}`;
  const statements = [
    `insert into organizations (id, name, webhook_secret) select id, id, 'sealed' from unnest(array['org_big', 'org_other']) id`,
    `${video('live', at)} from ${series}`,
    `${video('test', `timestamptz '${since.toISOString()}'`)} from generate_series(${MANY + 1}, ${MANY + 20}) n`,
    `insert into video_attempts (video_id, attempt, provider, upstream_model) select ${id('video')}, 1, 'p', 'm' from ${series}`,
    `insert into messages (id, org_id, key_id, mode, request_id, model, attempts, streamed, outcome, input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, web_searches, estimated, cost_nano_usd, total_ms, created_at)
      select ${id('m')}, 'org_big', 'key_1', 'live', 'r', 'x', '[]', false, 'completed', 1, 0, 0, 0, 1, 0, false, 1, 1, ${at} from ${series}`,
    `insert into meters (id, kind, org_id, mode, key_id, session_id, model, provider, hold_id, started_at, checked_at)
      select ${id('ctx')}, 'speech', 'org_big', 'live', 'key_1', 's', 'x', 'p', 'h', ${at}, ${at} from ${series}`,
    `insert into webhook_deliveries (id, org_id, mode, video_id, event, url, created_at, state)
      select ${id('msg')}, 'org_big', 'live', ${id('video')}, 'video.completed', 'https://example.com', ${at}, 'delivered' from ${series}`,
    `insert into webhook_attempts (delivery_id, attempt, latency_ms) select ${id('msg')}, 1, 5 from ${series}`,
    `insert into audit_entries (id, org_id, action, at) select ${id('audit')}, 'org_big', 'key.created', ${at} from ${series}`,
    `insert into api_keys (id, org_id, mode, name, hash, prefix, last_four, scopes)
      select 'key_' || n, case when n <= 5 then 'org_big' else 'org_other' end, 'live', 'key ' || n, 'hash' || n, 'pb_live_', '0000', '{}' from ${series}`,
    `insert into organizations (id, name, webhook_secret, created_at) select 'org_' || n, 'o', 'sealed', ${at} from ${series}`,
    `insert into credit_transfers (id, org_id, mode, kind, amount_nano_usd, reference, reason, available_nano_usd, created_at)
      select ${id('tr')}, 'org_big', 'live', 'grant', 1, 'ref' || n, 'r', 1, ${at} from ${series}`,
    `insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, hold_id, created_at)
      select ${id('tr')}, 'hold', 'org_big', 'live', 'held', 1, ${id('hold')}, ${at} from ${series}`,
    'analyze',
  ];
  for (const text of statements) await db.query(text);
}
