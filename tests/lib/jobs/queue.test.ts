import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { newId, type OrgId, type VideoId } from '../../../lib/domain/ids';
import {
  givingUp,
  jobRules,
  type Job,
  type JobHandlers,
  type JobKind,
  type JobOutcome,
  type JobOwner,
} from '../../../lib/jobs/job';
import { returnLeasedJobs } from '../../../lib/jobs/leases';
import { COMPLETE, LOOK, RETRY, CLAIM_DUE } from '../../../lib/jobs/statements';
import { createQueue, type Queue } from '../../../lib/jobs/queue';
import { createTestClock, type TestClock } from '../../support/clock';
import { openEmbeddedTestDatabase } from '../../support/database';
import { countDueJobs, listJobs } from '../../support/jobs';
import { recordLog, type RecordedLog } from '../../support/log';
import { embeddedToo, openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';

const postgres = runPostgres();
afterAll(() => postgres?.close());

/** For events that happen by themselves, on a machine that may be busy. */
const patience = { timeout: 60_000, interval: 10 };

describe('on the embedded database', embeddedToo(postgres), () => queueSuite(openEmbeddedTestDatabase));
describe.skipIf(!postgres)('on Postgres', () =>
  queueSuite(async () => openDatabaseAt(await postgres!.createDatabase())),
);

const nothing: JobHandlers = {
  'video.start': async () => 'done',
  'video.check': async () => 'done',
  'video.archive': async () => 'done',
  'webhook.deliver': async () => 'done',
  'alert.mail': async () => 'done',
};

const acme: JobOwner = { orgId: newId('org'), mode: 'live', place: 'alpha' };

function queueSuite(open: () => Promise<Database>): void {
  let db: Database;
  let clock: TestClock;
  let log: RecordedLog;
  const queues: Queue[] = [];
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.stop(0)));
    await db.query('delete from jobs');
  });

  async function makeQueue(options: { exclusive?: boolean; through?: Database } = {}): Promise<Queue> {
    clock = createTestClock();
    log = recordLog();
    const queue = await createQueue({ db: options.through ?? db, clock, log, exclusive: options.exclusive ?? false });
    queues.push(queue);
    return queue;
  }
  const add = (queue: Queue, job: Job, inMs?: number, owner = acme) =>
    db.inTransaction((tx) => queue.enqueue(tx, job, owner, inMs));
  const jobs = () => listJobs(db);
  const states = async () => (await jobs()).map(({ state }) => state);
  const untilIdle = async () => {
    await expect
      .poll(async () => {
        await clock.advance(500);
        return (await countDueJobs(db)).due;
      }, patience)
      .toBe(0);
  };
  /** Lets the delays of waiting jobs pass in the database, whose clock alone decides when they are due. */
  const makeDue = () =>
    db.query(`update jobs set due_at = now() - interval '1 second' where leased_until is null and due_at > now()`);
  const expireLeases = () =>
    db.query(`update jobs set leased_until = now() - interval '1 second' where leased_until is not null`);
  const start = (): Job => ({ kind: 'video.start', videoId: newId('video') });

  it('runs a job at once after the commit that added it, without waiting for the next poll', async () => {
    const queue = await makeQueue();
    const seen: VideoId[] = [];
    queue.run({ ...nothing, 'video.start': async ({ videoId }) => (seen.push(videoId), 'done') });
    const job = start();
    // The test's clock stands still: only the notification can wake the runner.
    await add(queue, job);
    await expect.poll(() => seen, patience).toEqual(job.kind === 'video.start' ? [job.videoId] : []);
    await untilIdle();
    expect(await jobs()).toEqual([]);
  });

  it('leaves nothing of a job whose transaction was rolled back', async () => {
    const queue = await makeQueue();
    const seen: string[] = [];
    queue.run({ ...nothing, 'video.start': async ({ videoId }) => (seen.push(videoId), 'done') });
    const broken = db.inTransaction(async (tx) => {
      await queue.enqueue(tx, start(), acme);
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    await untilIdle();
    expect([await jobs(), seen]).toEqual([[], []]);
  });

  it('runs a delayed job when it is due and not before', async () => {
    const queue = await makeQueue();
    const seen: number[] = [];
    queue.run({ ...nothing, 'webhook.deliver': async ({ attempt }) => (seen.push(attempt), 'done') });
    await add(queue, { kind: 'webhook.deliver', deliveryId: newId('delivery'), attempt: 7 }, 86_400_000);
    await untilIdle();
    expect(seen).toEqual([]);
    const { rows } = await db.query(`select extract(epoch from due_at - waits_since)::int as seconds from jobs`);
    expect(rows).toEqual([{ seconds: 86_400 }]);
    await makeDue();
    await untilIdle();
    expect(seen).toEqual([7]);
  });

  it('runs a job again after its handler failed, and logs that without the text of the error', async () => {
    const queue = await makeQueue();
    let calls = 0;
    queue.run({
      ...nothing,
      'video.start': async () => {
        calls += 1;
        if (calls < 3) throw new Error('a secret prompt');
        return 'done';
      },
    });
    await add(queue, start());
    for (let round = 0; round < 3; round += 1) {
      await untilIdle();
      await makeDue();
    }
    await untilIdle();
    expect(calls).toBe(3);
    expect(await jobs()).toEqual([]);
    const logged = log.lines.filter(({ message }) => message === 'a job failed and will be tried again');
    expect(logged).toHaveLength(2);
    expect(JSON.stringify(logged)).not.toContain('secret prompt');
  });

  it('runs a job again when its handler requests it, with the old payload and the changes', async () => {
    const queue = await makeQueue();
    const seen: Job[] = [];
    queue.run({
      ...nothing,
      'video.check': async (job) => {
        seen.push(job);
        return job.checks < 2 ? { againInMs: 4_000, with: { checks: job.checks + 1, errors: 1 } } : 'done';
      },
    });
    const videoId = newId('video');
    await add(queue, { kind: 'video.check', videoId, checks: 0 });
    for (let round = 0; round < 4; round += 1) {
      await untilIdle();
      await makeDue();
    }
    expect(seen).toEqual([
      { kind: 'video.check', videoId, checks: 0 },
      { kind: 'video.check', videoId, checks: 1, errors: 1 },
      { kind: 'video.check', videoId, checks: 2, errors: 1 },
    ]);
    expect(await jobs()).toEqual([]);
  });

  it('joins two chains of checks of one video into one, and keeps those of two videos apart', async () => {
    const queue = await makeQueue();
    const [one, two] = [newId('video'), newId('video')];
    await Promise.all(
      [one, one, two, one].map((videoId) => add(queue, { kind: 'video.check', videoId, checks: 0 }, 5_000)),
    );
    expect(await jobs()).toHaveLength(2);
    // A running check of the same video, whose process has died.
    await db.query(
      `insert into jobs (kind, mode, org_id, place, payload, subject, leased_until) values ('video.check', 'live', 'org', 'alpha', $1, $2, now() - interval '1 second')`,
      [JSON.stringify({ videoId: one, checks: 9 }), one],
    );
    await returnLeasedJobs(db, 'expired');
    expect(await jobs()).toHaveLength(2);
    await makeDue();
    queue.run({ ...nothing, 'video.check': async () => ({ againInMs: 60_000 }) });
    await untilIdle();
    const waiting = (await jobs())
      .filter(({ state }) => state === 'waiting')
      .map(({ payload }) => (payload as { videoId: string }).videoId);
    expect(waiting.toSorted()).toEqual([one, two].toSorted());
  });

  it('keeps one waiting job of each subject for the kinds whose rule says so, and for no others', async () => {
    const { rows } = await db.query(`select indexdef from pg_indexes where indexname = 'jobs_single'`);
    const isInIndex = (kind: string) => String(rows[0]?.indexdef).includes(`'${kind}'`);
    for (const [kind, { isSingle = false }] of Object.entries(jobRules))
      expect([kind, isInIndex(kind)]).toEqual([kind, isSingle]);
  });

  describe('makeDue', () => {
    const videoId = newId('video');
    const check = { kind: 'video.check', videoId, checks: 0 } satisfies Job;

    it('runs the waiting job of a subject at once, without waiting for the next poll, and no other', async () => {
      const queue = await makeQueue();
      const seen: VideoId[] = [];
      queue.run({ ...nothing, 'video.check': async (job) => (seen.push(job.videoId), 'done') });
      await add(queue, check, 86_400_000);
      await add(queue, { ...check, videoId: newId('video') }, 86_400_000);
      await untilIdle();
      expect(seen).toEqual([]);
      // The test's clock stands still: only the notification can wake the runner.
      await queue.makeDue('video.check', videoId);
      await expect.poll(() => seen, patience).toEqual([videoId]);
      await untilIdle();
      expect(await states()).toEqual(['waiting']);
    });

    it('lets a running job run once more as soon as it ends, whatever pause it wants', async () => {
      const queue = await makeQueue();
      const ends: (() => void)[] = [];
      queue.run({
        ...nothing,
        'video.check': () => new Promise((resolve) => ends.push(() => resolve({ againInMs: 86_400_000 }))),
      });
      await add(queue, check);
      await expect.poll(() => ends.length, patience).toBe(1);
      await queue.makeDue('video.check', videoId);
      const [{ lease }] = (await db.query('select leased_until::text as lease from jobs')).rows as [{ lease: string }];
      // Its lease is renewed meanwhile.
      await clock.advance(10_000);
      const isRenewed = async () =>
        (await db.query(`select leased_until > $1::timestamptz as renewed from jobs`, [lease])).rows[0]?.renewed;
      await expect.poll(isRenewed, patience).toBe(true);
      ends[0]?.();
      await expect
        .poll(async () => {
          await clock.advance(500);
          return ends.length;
        }, patience)
        .toBe(2);
      ends[1]?.();
      await untilIdle();
      // Once: the second run has the pause that it wants.
      const { rows } = await db.query(
        `select leased_until is null as waits, round(extract(epoch from due_at - now()) / 3600)::int as hours from jobs`,
      );
      expect(rows).toEqual([{ waits: true, hours: 24 }]);
    });

    it('leaves a gap after the last run, or after the call while the job is running', async () => {
      const queue = await makeQueue();
      const ends: (() => void)[] = [];
      queue.run({
        ...nothing,
        'video.check': () => new Promise((resolve) => ends.push(() => resolve({ againInMs: 86_400_000 }))),
      });
      const dueIn = async (since: string) => {
        const { rows } = await db.query(`select extract(epoch from due_at - ${since})::float8 as seconds from jobs`);
        return Number(rows[0]?.seconds);
      };
      await add(queue, check);
      await expect.poll(() => ends.length, patience).toBe(1);
      for (let calls = 0; calls < 3; calls += 1) await queue.makeDue('video.check', videoId, 60_000);
      ends[0]?.();
      await untilIdle();
      expect(await dueIn('now()')).toBeGreaterThan(30);
      await db.query(`update jobs set due_at = now() + interval '1 day'`);
      for (let calls = 0; calls < 3; calls += 1) await queue.makeDue('video.check', videoId, 60_000);
      expect(await dueIn('waits_since')).toBeCloseTo(60, 3);
      // A call never delays the job.
      await queue.makeDue('video.check', videoId, 3_600_000);
      expect(await dueIn('waits_since')).toBeCloseTo(60, 3);
      expect(ends).toHaveLength(1);
    });

    it('does nothing without such a job', async () => {
      const queue = await makeQueue();
      await add(queue, start(), 86_400_000);
      await queue.makeDue('video.check', videoId);
      await queue.makeDue('video.start', videoId);
      expect(await jobs()).toMatchObject([{ kind: 'video.start', state: 'waiting' }]);
      const { rows } = await db.query(`select due_at > now() + interval '1 hour' as waits from jobs`);
      expect(rows).toEqual([{ waits: true }]);
    });

    it('finds the job with an index among thousands that wait', async () => {
      const sent: (readonly [string, unknown[] | undefined])[] = [];
      const through: Database = { ...db, query: (text, values) => (sent.push([text, values]), db.query(text, values)) };
      const queue = await makeQueue({ through });
      await db.query(
        `insert into jobs (kind, mode, org_id, place, payload, subject, due_at) select 'video.check', 'live', 'org', 'alpha', '{}', n::text, now() + interval '1 day' from generate_series(1, 5000) n`,
      );
      await db.query('analyze jobs');
      sent.length = 0;
      await queue.makeDue('video.check', '77');
      const [text, values] = sent[0] ?? [];
      const plan = JSON.stringify((await db.query(`explain ${text}`, values)).rows);
      expect(plan).toContain('Index Scan');
      expect(plan).not.toContain('Seq Scan');
    });
  });

  it('gives the job of a dead runner to a living one when its lease expires, and not before', async () => {
    const dead = await makeQueue();
    let calls = 0;
    dead.run({ ...nothing, 'video.start': () => ((calls += 1), new Promise(() => {})) });
    await add(dead, start());
    await expect.poll(() => calls, patience).toBe(1);
    // Its promise never settles, so it is never stopped either; whatever it does later changes nothing.
    queues.splice(0);

    const living = await makeQueue();
    living.run({ ...nothing, 'video.start': async () => ((calls += 1), 'done') });
    const look = () => clock.advance(10_000);
    await look();
    await returnLeasedJobs(db, 'expired');
    expect(await states()).toEqual(['active']);
    const { rows } = await db.query('select extract(epoch from leased_until - now())::float8 as seconds from jobs');
    expect(rows[0]?.seconds).toBeLessThanOrEqual(30);
    await expireLeases();
    await look();
    await untilIdle();
    expect(calls).toBe(2);
    expect(await jobs()).toEqual([]);
  });

  it('renews its lease every ten seconds while a handler works, and still completes the job', async () => {
    const queue = await makeQueue();
    let end: ((outcome: JobOutcome<'video.start'>) => void) | undefined;
    queue.run({ ...nothing, 'video.start': () => new Promise((resolve) => (end = resolve)) });
    await add(queue, start());
    await expect.poll(() => end, patience).toBeDefined();
    const leaseOf = async () => (await db.query('select leased_until::text as lease from jobs')).rows[0]?.lease;
    const leases = new Set([await leaseOf()]);
    for (let renewals = 1; renewals <= 6; renewals += 1) {
      await clock.advance(10_000);
      await expect.poll(async () => leases.add(await leaseOf()).size, patience).toBe(renewals + 1);
    }
    end?.('done');
    await untilIdle();
    expect(await jobs()).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  describe('a runner that was paused for longer than its lease', () => {
    /** The slow runner has claimed a job, and the lease has expired; the test decides how each runner ends. */
    async function loseLease(job = start()) {
      const inHand: ((outcome: JobOutcome<'video.start'> | Error) => void)[] = [];
      const hold = () =>
        new Promise<JobOutcome<'video.start'>>((resolve, reject) =>
          inHand.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))),
        );
      const slow = await makeQueue();
      slow.run({ ...nothing, 'video.start': hold });
      await add(slow, job);
      await expect.poll(() => inHand.length, patience).toBe(1);
      const slowLog = log;
      await expireLeases();
      await returnLeasedJobs(db, 'expired');
      return {
        /** Another runner takes the job. */
        async takeOver() {
          const other = await makeQueue();
          other.run({ ...nothing, 'video.start': hold });
          await expect.poll(() => inHand.length, patience).toBe(2);
        },
        endSlow: async (outcome: JobOutcome<'video.start'> | Error) => {
          inHand[0]!(outcome);
          await expect.poll(() => slowLog.lines.length, patience).toBeGreaterThan(0);
          // What it does after its log entry.
          await db.query('select 1');
        },
        endOther: (outcome: JobOutcome<'video.start'>) => inHand[1]!(outcome),
        slowLog,
      };
    }

    it('does not end the job of the living one', async () => {
      const { takeOver, endSlow, endOther, slowLog } = await loseLease();
      await takeOver();
      await endSlow('done');
      expect(await states()).toEqual(['active']);
      expect(slowLog.lines.map(({ message }) => message)).toEqual([
        'a job finished after its lease had expired; another runner may have run it too',
      ]);
      endOther({ againInMs: 60_000 });
      await expect.poll(states, patience).toEqual(['waiting']);
    });

    it('does not requeue the job of the living one', async () => {
      const { takeOver, endSlow, endOther } = await loseLease();
      await takeOver();
      await endSlow({ againInMs: 60_000 });
      expect(await states()).toEqual(['active']);
      endOther('done');
      await expect.poll(states, patience).toEqual([]);
    });

    it('does not return the job of the living one when it fails', async () => {
      const { takeOver, endSlow, endOther } = await loseLease();
      await takeOver();
      await endSlow(new Error('late'));
      expect(await states()).toEqual(['active']);
      endOther('done');
      await expect.poll(states, patience).toEqual([]);
    });

    it('creates the job again when the other one ended it and it must continue', async () => {
      const job = start();
      const { takeOver, endSlow, endOther } = await loseLease(job);
      await takeOver();
      // The slow runner had claimed the work.
      endOther('done');
      await expect.poll(states, patience).toEqual([]);
      await endSlow({ againInMs: 60_000 });
      await expect.poll(states, patience).toEqual(['waiting']);
      const { kind: _kind, ...payload } = job;
      expect(await jobs()).toMatchObject([{ payload }]);
    });

    it('creates the job again when its row is gone', async () => {
      const { endSlow } = await loseLease();
      await db.query('delete from jobs');
      await endSlow({ againInMs: 60_000 });
      await expect.poll(states, patience).toEqual(['waiting']);
    });

    it('leaves a job that waits for its next runner as it is', async () => {
      const { endSlow } = await loseLease();
      await endSlow('done');
      expect(await states()).toEqual(['waiting']);
    });
  });

  it('retries a failing job with longer and longer delays, up to five minutes, and gives up in the end', async () => {
    const queue = await makeQueue();
    const givenUp: string[] = [];
    let calls = 0;
    queue.run({
      ...nothing,
      'video.start': givingUp(
        async () => {
          calls += 1;
          throw new Error('poison');
        },
        async ({ videoId }) => void givenUp.push(videoId),
      ),
    });
    const job = start();
    await add(queue, job);
    const pauses: unknown[] = [];
    for (let round = 0; round < 20; round += 1) {
      await untilIdle();
      if ((await jobs()).length === 0) break;
      pauses.push(
        (await db.query(`select round(extract(epoch from due_at - now()))::int as seconds from jobs`)).rows[0]?.seconds,
      );
      await makeDue();
    }
    // `now()` is a little later than the failure.
    const expected = [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300];
    expect(pauses).toHaveLength(expected.length);
    for (const [n, seconds] of expected.entries()) {
      expect(pauses[n]).toBeLessThanOrEqual(seconds);
      expect(pauses[n]).toBeGreaterThan(seconds / 2 - 2);
    }
    expect([calls, givenUp]).toEqual([12, [job.kind === 'video.start' ? job.videoId : '']]);
  });

  it('takes over jobs of dead processes at once if no other process can be running', async () => {
    const dead = await makeQueue();
    let calls = 0;
    dead.run({ ...nothing, 'video.start': () => ((calls += 1), new Promise(() => {})) });
    await add(dead, start());
    await expect.poll(() => calls, patience).toBe(1);
    queues.splice(0);
    const alone = await makeQueue({ exclusive: true });
    alone.run({ ...nothing, 'video.start': async () => ((calls += 1), 'done') });
    await untilIdle();
    expect(calls).toBe(2);
  });

  it('waits for the running jobs when it is stopped, and takes no more', async () => {
    const queue = await makeQueue();
    let finish: () => void = () => {};
    let calls = 0;
    queue.run({
      ...nothing,
      'video.start': () => {
        calls += 1;
        return new Promise((resolve) => (finish = () => resolve('done')));
      },
    });
    await add(queue, start());
    await expect.poll(() => calls, patience).toBe(1);
    let stopped = false;
    const stopping = queue.stop(10_000).then(() => (stopped = true));
    await add(queue, start());
    await clock.advance(9_000);
    expect([stopped, calls]).toEqual([false, 1]);
    finish();
    await stopping;
    expect(await states()).toEqual(['waiting']);
  });

  it('fetches nothing after a drain, and counts the grace period from it', async () => {
    const queue = await makeQueue();
    let begun = 0;
    queue.run({
      ...nothing,
      'video.start': (_job, signal) => {
        begun += 1;
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))));
      },
    });
    await add(queue, start());
    await expect.poll(() => begun, patience).toBe(1);
    queue.drain(10_000);
    await add(queue, start());
    await clock.advance(9_000);
    expect(await states()).toEqual(['active', 'waiting']);
    const stopping = queue.stop(10_000);
    await clock.advance(1_000);
    await stopping;
    expect([begun, await states()]).toEqual([1, ['waiting', 'waiting']]);
  });

  it('aborts the running jobs after the grace period, and returns them', async () => {
    const queue = await makeQueue();
    let begun = 0;
    queue.run({
      ...nothing,
      'video.start': (_job, signal) => {
        begun += 1;
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))));
      },
    });
    // More than ten: Node warns of a leak if that many listen to one signal.
    await db.inTransaction(async (tx) => {
      for (let n = 0; n < 12; n += 1) await queue.enqueue(tx, start(), acme);
    });
    await expect.poll(() => begun, patience).toBe(12);
    const stopping = queue.stop(10_000);
    await clock.advance(10_000);
    await stopping;
    expect(await states()).toEqual(Array.from({ length: 12 }, () => 'waiting'));
  });

  it('runs the jobs of other places while those of one hang, and the next one of that place when one of them ends', async () => {
    const queue = await makeQueue();
    const hanging: (() => void)[] = [];
    const answered: number[] = [];
    queue.run({
      ...nothing,
      'webhook.deliver': ({ attempt }) =>
        attempt > 0
          ? (answered.push(attempt), Promise.resolve('done'))
          : new Promise((resolve) => hanging.push(() => resolve('done'))),
    });
    const deliver = (place: string, attempt: number, inMs = 0) =>
      add(queue, { kind: 'webhook.deliver', deliveryId: newId('delivery'), attempt }, inMs, { ...acme, place });
    for (let n = 0; n < 7; n += 1) await deliver('hangs', 0);
    await deliver('answers', 1);
    const passing = async () => {
      await clock.advance(5);
      return [hanging.length, answered.length];
    };
    await expect.poll(passing, patience).toEqual([5, 1]);
    await deliver('answers', 2);
    await expect.poll(passing, patience).toEqual([5, 2]);
    hanging[0]!();
    // Less than the time after which the runner would look again: the end of the job has woken it.
    const endMs = clock.nowMs() + 400;
    const passingUntilThen = async () => (clock.nowMs() < endMs ? passing() : [hanging.length, answered.length]);
    await expect.poll(passingUntilThen, { timeout: 60_000, interval: 50 }).toEqual([6, 2]);
    for (const end of hanging) end();
    await expect.poll(passing, patience).toEqual([7, 2]);
    hanging[6]!();
    await untilIdle();
  });

  it('aborts a handler after 20 seconds, before its lease expires', async () => {
    const queue = await makeQueue();
    let aborted = false;
    let begun = false;
    queue.run({
      ...nothing,
      'webhook.deliver': (_job, signal) => {
        begun = true;
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('too long'));
          }),
        );
      },
    });
    await add(queue, { kind: 'webhook.deliver', deliveryId: newId('delivery'), attempt: 1 });
    await expect.poll(() => begun, patience).toBe(true);
    await clock.advance(19_999);
    expect(aborted).toBe(false);
    await clock.advance(1);
    expect(aborted).toBe(true);
  });

  it('continues after errors of the database at any statement, and loses no job', async () => {
    // Each of these statements fails this often.
    const errors = new Map<string, number>([
      [LOOK, 2],
      [CLAIM_DUE, 3],
      [COMPLETE, 2],
      [RETRY, 1],
    ]);
    const failing = (text: string) => {
      for (const [part, left] of errors) {
        if (left > 0 && text === part) {
          errors.set(part, left - 1);
          return true;
        }
      }
      return false;
    };
    const error = () =>
      Promise.reject(Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' }));
    const through: Database = {
      ...db,
      query: (text, values) => (failing(text) ? error() : db.query(text, values)),
      inTransaction: (run) =>
        db.inTransaction((tx) =>
          run({ ...tx, query: (text, values) => (failing(text) ? error() : tx.query(text, values)) }),
        ),
    };
    const queue = await makeQueue({ through });
    const done = new Set<string>();
    queue.run({
      ...nothing,
      'video.start': async ({ videoId }) => (done.add(videoId), 'done'),
      'video.check': async ({ videoId, checks }) =>
        checks === 0 ? { againInMs: 0, with: { checks: 1 } } : (done.add(videoId), 'done'),
    });
    const added = Array.from({ length: 20 }, (_, n): Job =>
      n % 2 ? start() : { kind: 'video.check', videoId: newId('video'), checks: 0 },
    );
    for (const job of added) await add(queue, job);
    await expect
      .poll(async () => {
        await clock.advance(1_000);
        // Jobs that could not be returned come back with their lease. A job that was only just claimed is still running.
        await db.query(`update jobs set leased_until = now() where leased_until < now() + interval '29 seconds'`);
        await returnLeasedJobs(db, 'expired');
        await makeDue();
        return [done.size, ...errors.values()];
      }, patience)
      .toEqual([20, 0, 0, 0, 0]);
    const logged = new Set(log.lines.map(({ message }) => message));
    expect(logged).toContain('jobs could not be fetched');
    expect(logged).toContain('a job failed and will be tried again');
    expect(logged).toContain('a failed job could not be requeued');
  });

  it('gives each of 500 jobs to one of four runners over the same database', { timeout: 60_000 }, async () => {
    const four: Queue[] = [];
    const seen: string[] = [];
    const clocks: TestClock[] = [];
    for (let runner = 0; runner < 4; runner += 1) {
      const queue = await makeQueue();
      four.push(queue);
      clocks.push(clock);
    }
    const kinds: JobKind[] = ['video.start', 'video.check', 'webhook.deliver'];
    const ids = Array.from({ length: 500 }, () => newId('video'));
    await db.inTransaction(async (tx) => {
      for (const [n, id] of ids.entries()) {
        const kind = kinds[n % 3];
        const job: Job =
          kind === 'webhook.deliver'
            ? { kind, deliveryId: newId('delivery'), attempt: n }
            : kind === 'video.check'
              ? { kind, videoId: id, checks: 0 }
              : { kind: 'video.start', videoId: id };
        await four[n % 4]!.enqueue(tx, job, { ...acme, orgId: `org_${n % 7}` as OrgId, place: `place ${n % 5}` });
      }
    });
    for (const queue of four) {
      queue.run({
        'video.start': async ({ videoId }) => (seen.push(videoId), 'done'),
        'video.check': async ({ videoId }) => (seen.push(videoId), 'done'),
        'video.archive': async () => 'done',
        'webhook.deliver': async ({ attempt }) => (seen.push(ids[attempt]!), 'done'),
        'alert.mail': async () => 'done',
      });
    }
    await expect
      .poll(
        async () => {
          await Promise.all(clocks.map((each) => each.advance(500)));
          return (await jobs()).length;
        },
        { ...patience, timeout: 30_000 },
      )
      .toBe(0);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });
}
