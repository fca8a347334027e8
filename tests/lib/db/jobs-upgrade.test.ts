import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { openDatabase } from '../../../lib/db/open-database';
import { createQueue } from '../../../lib/jobs/queue';
import type { JobHandlers } from '../../../lib/jobs/job';
import { createTestClock } from '../../support/clock';
import { migrations, migrationsBefore } from '../../support/earlier-migrations';
import { passJobTime } from '../../support/jobs';
import { recordLog } from '../../support/log';
import { startWorker } from '../../support/workers';

// An operator upgrades from a version whose jobs were in the schema of pg-boss.

const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-upgrade-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const open = (migrationsFolder: string): Promise<Database> =>
  openDatabase({ dataDir: path.join(directory, 'data'), migrationsFolder, startWorker, log: recordLog() });

/** The columns of pg-boss 10 that the product used. */
const PG_BOSS = `
  create schema pgboss;
  create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  create table pgboss.job (
    id uuid primary key default gen_random_uuid(), name text not null, data jsonb, state pgboss.job_state not null default 'created',
    retry_count integer not null default 0, start_after timestamptz not null default now(), started_on timestamptz, singleton_key text)`;

/** The running check seems to begin later, so that its lease has not ended when a slow machine comes to move it. */
async function fill(db: Database): Promise<void> {
  const video = (id: string, provider: string | null, mode: string) =>
    db.query(
      `insert into videos (id, org_id, key_id, mode, request_id, model, candidates, seconds, size, quote_nano_usd, quote_lines, hold_id, provider, deadline_at, body_hash)
       values ($1, 'org_1', 'key_1', $3, 'req_1', 'm', '[{"provider": "beta", "upstreamModel": "m"}]', '5', '1280x720', 1, '[]', 'hold', $2, now(), 'hash')`,
      [id, provider, mode],
    );
  await video('waits for a start', null, 'test');
  await video('is checked', 'alpha', 'live');
  await video('was being checked', 'alpha', 'live');
  await video('has ended', 'alpha', 'live');
  await db.query(
    `insert into webhook_deliveries (id, org_id, mode, video_id, event, url) values ('delivery', 'org_2', 'live', 'has ended', 'video.completed', 'https://hooks.example.com:8443/a?b=c')`,
  );
  await db.query(PG_BOSS);
  await db.query(`
    insert into pgboss.job (name, data, state, start_after, started_on, retry_count, singleton_key) values
      ('video.start', '{"videoId": "waits for a start"}', 'created', now(), null, 0, null),
      ('video.check', '{"videoId": "is checked", "checks": 7}', 'retry', now() + interval '10 minutes', null, 3, 'is checked'),
      ('video.check', '{"videoId": "was being checked", "checks": 1}', 'active', now() - interval '1 hour', now() + interval '50 seconds', 0, 'was being checked'),
      ('video.check', '{"videoId": "was being checked", "checks": 2}', 'created', now(), null, 0, 'was being checked'),
      ('video.check', '{"videoId": "has ended", "checks": 2}', 'completed', now(), now(), 0, 'has ended'),
      ('video.check', '{"videoId": "is gone", "checks": 2}', 'created', now(), null, 0, 'is gone'),
      ('webhook.deliver', '{"deliveryId": "delivery", "attempt": 2}', 'created', now() + interval '1 hour', null, 0, null)`);
}

it('moves the waiting and the running jobs of the schema pgboss, and removes it', async () => {
  const before = await open(migrationsBefore('jobs', directory));
  await fill(before);
  await before.close();

  const db = await open(migrations);
  const { rows } = await db.query(
    `select kind, mode, org_id, place, subject, payload, failures, extract(epoch from due_at - (select due_at from jobs where kind = 'video.start'))::int as seconds from jobs order by subject, kind`,
  );
  expect(rows).toEqual([
    {
      kind: 'webhook.deliver',
      mode: 'live',
      org_id: 'org_2',
      place: 'hooks.example.com:8443',
      subject: 'delivery',
      payload: { deliveryId: 'delivery', attempt: 2 },
      failures: 0,
      seconds: 3_600,
    },
    {
      kind: 'video.check',
      mode: 'live',
      org_id: 'org_1',
      place: 'alpha',
      subject: 'is checked',
      payload: { videoId: 'is checked', checks: 7 },
      failures: 3,
      seconds: 600,
    },
    {
      kind: 'video.start',
      mode: 'test',
      org_id: 'org_1',
      place: 'beta',
      subject: 'waits for a start',
      payload: { videoId: 'waits for a start' },
      failures: 0,
      seconds: 0,
    },
    // What is left of the lease of its process; the second chain of its checks is not needed.
    {
      kind: 'video.check',
      mode: 'live',
      org_id: 'org_1',
      place: 'alpha',
      subject: 'was being checked',
      payload: { videoId: 'was being checked', checks: 1 },
      failures: 1,
      seconds: 80,
    },
  ]);
  expect((await db.query(`select to_regnamespace('pgboss') as schema`)).rows).toEqual([{ schema: null }]);

  const clock = createTestClock();
  const queue = await createQueue({ db, clock, log: recordLog(), exclusive: true });
  const seen: string[] = [];
  const note = async (job: { kind: string }) => (seen.push(job.kind), 'done' as const);
  const handlers: JobHandlers = {
    'video.start': note,
    'video.check': note,
    'video.archive': note,
    'webhook.deliver': note,
    'alert.mail': note,
  };
  await passJobTime(db, 3_700_000);
  queue.run(handlers);
  await expect
    .poll(
      async () => {
        await clock.advance(500);
        return (await db.query('select from jobs')).rows.length;
      },
      { timeout: 30_000, interval: 10 },
    )
    .toBe(0);
  expect(seen.toSorted()).toEqual(['video.check', 'video.check', 'video.start', 'webhook.deliver']);
  await queue.stop(0);
  await db.close();
}, 60_000);
