import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { newId, type OrgId } from '../../../lib/domain/ids';
import type { Mode } from '../../../lib/domain/video';
import { createFairClaimer } from '../../../lib/jobs/fair-claimer';
import { jobRules, type Job, type JobKind, type JobOwner } from '../../../lib/jobs/job';
import { INSERT, insertJob, LOOK, PUT_BACK, CLAIM_DUE, CLAIM_FROM_LINE } from '../../../lib/jobs/statements';
import type { ClaimedJob, ClaimedRow } from '../../../lib/jobs/claimed-job';
import { explain, rowsRead } from '../../support/big-database';
import { openEmbeddedTestDatabase } from '../../support/database';
import { embeddedToo, openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe('on the embedded database', embeddedToo(postgres), () => suite(openEmbeddedTestDatabase));
describe.skipIf(!postgres)('on Postgres', () => suite(async () => openDatabaseAt(await postgres!.createDatabase())));

const owner = (org: string, place = 'alpha', mode: Mode = 'live'): JobOwner => ({ orgId: org as OrgId, mode, place });

function jobOf(kind: JobKind): Job {
  const videoId = newId('video');
  if (kind === 'webhook.deliver') return { kind, deliveryId: newId('delivery'), attempt: 1 };
  if (kind === 'alert.mail') return { kind, alertId: newId('alert'), userId: newId('user'), crossedMs: 0 };
  return kind === 'video.check' ? { kind, videoId, checks: 0 } : { kind, videoId };
}

function suite(open: () => Promise<Database>): void {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    // Tests of plans choose the statistics themselves.
    await db.query('alter table jobs set (autovacuum_enabled = false)');
  });
  afterAll(() => db.close());
  afterEach(async () => {
    await db.query('delete from jobs');
  });

  const add = async (kind: JobKind, jobOwner: JobOwner, count = 1, inMs = 0) => {
    for (let n = 0; n < count; n += 1) await insertJob(db, jobOf(kind), jobOwner, inMs);
  };
  /** As many jobs as `add` would insert one by one; those with a delay are due since a minute. */
  const addMany = (kind: JobKind, { orgId, place, mode }: JobOwner, count: number, how: 'in line' | 'delayed') =>
    db.query(
      `insert into jobs (kind, mode, org_id, place, payload, subject, turn, due_at)
       select $1, $2, $3, $4, '{}', gen_random_uuid()::text, case when $6 then n end, now() - interval '1 minute' from generate_series(0, $5::int - 1) n`,
      [kind, mode, orgId, place, count, how === 'in line'],
    );
  const claim = async (claimer: { claim(): Promise<{ jobs: readonly ClaimedJob[] }> }) => (await claimer.claim()).jobs;
  /** With the statements that it sends. */
  const recordedTaking = (kind: JobKind) => {
    const texts: string[] = [];
    const query: Database['query'] = (text, values) => (texts.push(text), db.query(text, values));
    return { claimer: createFairClaimer({ ...db, query }, kind), texts };
  };
  const orgsOf = (jobs: readonly ClaimedJob[]) => jobs.map((job) => job.owner.orgId);
  const placesOf = (jobs: readonly ClaimedJob[]) => jobs.map((job) => job.owner.place);
  const count = (words: readonly string[], word: string) => words.filter((each) => each === word).length;

  describe('organisations', () => {
    it('take turns: one job comes with the next batch, although another organisation has 10,000 in line', async () => {
      await addMany('video.start', owner('big'), 10_000, 'in line');
      const claimer = createFairClaimer(db, 'video.start');
      const first = await claim(claimer);
      expect(new Set(orgsOf(first))).toEqual(new Set(['big']));
      for (const job of first) claimer.release(job);
      await add('video.start', owner('small'));
      expect(orgsOf(await claim(claimer))).toContain('small');
    });

    it('take turns, however many jobs each adds and in whatever order', async () => {
      await add('webhook.deliver', owner('a', 'host'), 12);
      await add('webhook.deliver', owner('b', 'host'), 2);
      await add('webhook.deliver', owner('c', 'host'), 2);
      const claimer = createFairClaimer(db, 'webhook.deliver');
      const batches: string[][] = [];
      for (let jobs = await claim(claimer); jobs.length > 0; jobs = await claim(claimer)) {
        batches.push(orgsOf(jobs));
        for (const job of jobs) claimer.release(job);
      }
      expect(batches.map((batch) => batch.length)).toEqual([5, 5, 5, 1]);
      expect(batches[0]?.filter((org) => org !== 'a').length).toBeGreaterThan(2);
      // All jobs of b and c are in the first two.
      expect(new Set(batches.slice(2).flat())).toEqual(new Set(['a']));
    });

    it('take turns among the jobs that were delayed, too', async () => {
      await addMany('webhook.deliver', owner('big', 'host'), 900, 'delayed');
      await addMany('webhook.deliver', owner('small', 'host'), 1, 'delayed');
      expect(orgsOf(await claim(createFairClaimer(db, 'webhook.deliver')))).toContain('small');
    });

    it('get no turn for the time in which they had no job', async () => {
      await add('webhook.deliver', owner('busy', 'host'), 20);
      const claimer = createFairClaimer(db, 'webhook.deliver');
      for (let round = 0; round < 2; round += 1) for (const job of await claim(claimer)) claimer.release(job);
      await add('webhook.deliver', owner('new', 'host'), 20);
      const next = orgsOf(await claim(claimer));
      expect([2, 3]).toContain(count(next, 'busy'));
    });

    it('occupy at most three quarters of the handlers, over however many places', async () => {
      for (let n = 0; n < 100; n += 1) await addMany('webhook.deliver', owner('many', `host ${n}`), 5, 'in line');
      const { parallel } = jobRules['webhook.deliver'];
      const claimer = createFairClaimer(db, 'webhook.deliver');
      expect(await claim(claimer)).toHaveLength((parallel * 3) / 4);
      expect(await claim(claimer)).toEqual([]);
      await add('webhook.deliver', owner('other', 'another host'));
      expect(orgsOf(await claim(claimer))).toEqual(['other']);
    });
  });

  describe('live jobs', () => {
    it('are claimed before test jobs of the same place and of others', async () => {
      await addMany('video.start', owner('a', 'alpha', 'test'), 300, 'in line');
      await addMany('video.start', owner('b', 'beta', 'test'), 300, 'in line');
      await add('video.start', owner('c', 'alpha', 'live'), 3);
      const claimed = await claim(createFairClaimer(db, 'video.start'));
      expect(
        count(
          claimed.map((job) => job.owner.mode),
          'live',
        ),
      ).toBe(3);
      expect(claimed.length).toBeGreaterThan(3);
    });
  });

  describe('a place that hangs', () => {
    const { parallel } = jobRules['video.check'];

    it('occupies at most half of the handlers, and another one is served at once', async () => {
      await addMany('video.check', owner('a', 'hangs'), parallel, 'delayed');
      const claimer = createFairClaimer(db, 'video.check');
      expect(await claim(claimer)).toHaveLength(parallel / 2);
      expect(await claim(claimer)).toEqual([]);
      await add('video.check', owner('b', 'answers'), 20);
      expect(placesOf(await claim(claimer))).toEqual(Array.from({ length: 20 }, () => 'answers'));
    });

    it('leaves handlers to the other places of its organisation, for live and test jobs', async () => {
      await addMany('video.start', owner('a', 'hangs'), 300, 'in line');
      const claimer = createFairClaimer(db, 'video.start');
      expect(await claim(claimer)).toHaveLength(jobRules['video.start'].parallel / 2);
      await add('video.start', owner('a', 'answers'), 20);
      await add('video.start', owner('a', 'renders', 'test'), 20);
      const next = placesOf(await claim(claimer));
      expect([count(next, 'answers'), count(next, 'renders'), count(next, 'hangs')]).toEqual([20, 20, 0]);
    });

    it('does not keep the test jobs of others waiting, however many of its live jobs wait', async () => {
      for (const place of ['hangs', 'hangs too']) await addMany('video.start', owner('a', place), 300, 'in line');
      const claimer = createFairClaimer(db, 'video.start');
      while ((await claim(claimer)).length > 0);
      await add('video.start', owner('b', 'renders', 'test'), 5);
      expect(placesOf(await claim(claimer))).toEqual(Array.from({ length: 5 }, () => 'renders'));
    });

    it('leaves a third to the others when a second one hangs', async () => {
      for (const place of ['hangs', 'hangs too'])
        await addMany('video.check', owner(`org of ${place}`, place), parallel, 'in line');
      const claimer = createFairClaimer(db, 'video.check');
      const places = placesOf(await claim(claimer));
      expect(count(places, 'hangs')).toBeGreaterThan(parallel / 3 - 2);
      expect(count(places, 'hangs')).toBeLessThan(parallel / 3 + 2);
      expect(Math.abs(count(places, 'hangs') - count(places, 'hangs too'))).toBeLessThan(2);
      await add('video.check', owner('b', 'answers'), 50);
      expect(await claim(claimer)).toHaveLength(50);
    });

    it('gets its handlers back as its jobs end', async () => {
      await addMany('video.check', owner('a', 'hangs'), parallel, 'in line');
      const claimer = createFairClaimer(db, 'video.check');
      const [one, two] = await claim(claimer);
      for (const job of [one!, two!]) claimer.release(job);
      expect(await claim(claimer)).toHaveLength(2);
    });

    it('that is a receiver of webhooks gets five deliveries at a time, of whichever organisations', async () => {
      await addMany('webhook.deliver', owner('a', 'dead'), 400, 'delayed');
      await addMany('webhook.deliver', owner('b', 'dead'), 400, 'delayed');
      await addMany('webhook.deliver', owner('b', 'alive'), 3, 'delayed');
      const claimer = createFairClaimer(db, 'webhook.deliver');
      const claimed = await claim(claimer);
      expect([count(placesOf(claimed), 'dead'), count(placesOf(claimed), 'alive')]).toEqual([5, 3]);
      expect(await claim(claimer)).toEqual([]);
    });

    it('does not hide a place behind hundreds of others', async () => {
      for (let n = 0; n < 250; n += 1)
        await addMany('webhook.deliver', owner(`org ${n % 3}`, `dead ${n}`), 1, 'in line');
      await add('webhook.deliver', owner('z', 'the last one'));
      const claimer = createFairClaimer(db, 'webhook.deliver');
      const seen: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const claimed = await claim(claimer);
        seen.push(...placesOf(claimed));
        for (const job of claimed) claimer.release(job);
      }
      expect(seen).toContain('the last one');
    });
  });

  it('claims the jobs that became due with one statement while none waits in line', async () => {
    await addMany('video.check', owner('a'), 40, 'delayed');
    const { claimer, texts } = recordedTaking('video.check');
    expect(await claim(claimer)).toHaveLength(40);
    expect(texts).toEqual([CLAIM_DUE]);
  });

  it('looks first where a job is unlikely, and claims nothing if none is due and none waits in line', async () => {
    const { claimer, texts } = recordedTaking('webhook.deliver');
    expect(await claimer.claim(false)).toEqual({ jobs: [], hasLine: false, nextInMs: Infinity });
    expect(texts).toEqual([LOOK]);
    await addMany('webhook.deliver', owner('a'), 1, 'delayed');
    await db.query(`update jobs set due_at = now() + interval '1 hour'`);
    expect((await claimer.claim(false)).nextInMs).toBeGreaterThan(3_500_000);
    expect(texts).toEqual([LOOK, LOOK]);
    await db.query('update jobs set due_at = now()');
    expect((await claimer.claim(false)).jobs).toHaveLength(1);
    await addMany('webhook.deliver', owner('a'), 1, 'in line');
    expect((await claimer.claim(false)).jobs).toHaveLength(1);
  });

  it('reads about as many rows as it puts back, however many jobs wait', async () => {
    await db.query('analyze jobs');
    await addMany('video.check', owner('big'), 20_000, 'delayed');
    const { rows } = await db.query(CLAIM_DUE, ['video.check', 30, 30]);
    // Safe: the statement returns one row with this column.
    const claimed = rows[0]?.claimed as readonly ClaimedRow[];
    expect(claimed).toHaveLength(30);
    const leases = [claimed.map(({ id }) => id), claimed.map(({ run }) => run)];
    const values = [...leases, claimed.map(() => '{}'), claimed.map(() => 1_000)];
    expect(rowsRead(await explain(db, { text: PUT_BACK, values }, 'analyze'))).toBeLessThan(500);
  });

  it('reads no jobs of another kind, however many of them are in line', async () => {
    await addMany('video.start', owner('big'), 10_000, 'in line');
    await addMany('video.check', owner('small'), 500, 'delayed');
    await db.query('analyze jobs');
    expect(rowsRead(await explain(db, { text: LOOK, values: ['video.check'] }, 'analyze'))).toBeLessThan(10);
    const due = { text: CLAIM_DUE, values: ['video.check', 1_000, 1_000] };
    expect(rowsRead(await explain(db, due, 'analyze'))).toBeLessThan(5_000);
  });

  it(
    'reads about as many rows as it claims, whether 1,000 or 100,000 jobs of an organisation wait',
    { timeout: 120_000 },
    async () => {
      /** The rows that each statement reads while so many jobs wait in each state, with statistics of an empty table. */
      async function read(jobs: number): Promise<Record<string, number>> {
        await db.query('analyze jobs');
        for (const how of ['in line', 'delayed'] as const) await addMany('video.start', owner('big'), jobs, how);
        await db.query(`update jobs set due_at = now() + interval '1 hour' where turn is null`);
        await addMany('video.start', owner('small'), 20, 'delayed');
        const statements = {
          insert: { text: INSERT, values: ['video.start', 'live', 'big', 'alpha', '{}', newId('video'), 0] },
          line: { text: CLAIM_FROM_LINE, values: ['video.start', '', 100, 128, 128, [], [], [], []] },
          due: { text: CLAIM_DUE, values: ['video.start', 1_000, 64] },
          look: { text: LOOK, values: ['video.start'] },
        };
        const counts: Record<string, number> = {};
        for (const [name, statement] of Object.entries(statements))
          counts[name] = rowsRead(await explain(db, statement, 'analyze'));
        await db.query('truncate jobs');
        return counts;
      }
      const few = await read(1_000);
      const many = await read(100_000);
      for (const name of Object.keys(few)) expect(many[name]).toBeLessThanOrEqual(few[name]!);
      expect(many.insert).toBeLessThan(10);
      expect(many.look).toBeLessThan(10);
      // 20 became due, and 64 are claimed from 128 that are at the head of the line.
      expect(many.due).toBeLessThan(200);
      expect(many.line).toBeLessThan(600);
    },
  );
}
