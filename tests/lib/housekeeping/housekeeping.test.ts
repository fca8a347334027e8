import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger } from '../../../lib/billing/ledger';
import type { Provider } from '../../../lib/domain/provider';
import type { Json } from '../../../lib/domain/json';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { GatewayError, upstreamFailed } from '../../../lib/domain/errors';
import { eraseVideo } from '../../../lib/db/videos';
import { keepHouse } from '../../support/housekeeping';
import { runPostgres } from '../../support/run-postgres';
import { makeAcme } from '../videos/make-acme';
import { completed, createChaos } from '../../support/chaos-provider';
import type { Database } from '../../../lib/db/database';
import { newId } from '../../../lib/domain/ids';
import { perSecond } from '../../../lib/catalog/price-table';
import { wholeSeconds } from '../../../lib/domain/video-tiers';
import { firstEdition, videoModel } from '../../../lib/catalog/model-entry';

const chaos = createChaos('acme');
const removed: Json[] = [];
let broken = false;
let isElsewhere = false;
/** The number of the one copy that the disk cannot delete. */
let unremovable: number | undefined;
// The chaos provider requests nothing over the network.
const video = chaos.definition.create(undefined as never).video!;
const keeper: Provider = {
  id: 'acme',
  video: {
    ...video,
    async remove(note) {
      if (isElsewhere) throw new GatewayError('video_on_other_machine', 'It is on another machine.');
      if (broken || (unremovable !== undefined && JSON.stringify(note) === JSON.stringify({ copy: unremovable })))
        throw new Error('the disk is away');
      removed.push(note);
    },
  },
};
const model = videoModel({
  id: 'acme-t2v',
  name: 'Acme',
  description: 'Serves tests.',
  family: 'acme',
  created: firstEdition,
  kind: 't2v',
  seconds: wholeSeconds(1, 10),
  defaultSeconds: 5,
  resolutions: ['720p'],
  defaultResolution: '720p',
  aspectRatios: ['16:9'],
  fps: { default: 24 },
  audio: 'none',
  parameters: [],
  price: perSecond('made up for tests', { '720p': '0.10' }),
  bindings: [{ providerId: 'acme', modelName: 'acme' }],
});

let test: TestGateway;
beforeAll(async () => {
  const definition = { ...chaos.definition, create: () => keeper };
  test = await makeGateway({ providers: [definition], testProvider: definition, models: [model] });
});
afterAll(() => test.close());

async function finished(): Promise<string> {
  const { id } = await test.gateway.videos.submit(await test.caller('live'), {
    body: { model: 'acme-t2v', prompt: 'x' },
    textOnly: false,
    requestId: 'req_1',
    automaticRetry: false,
  });
  await test.settle();
  await test.pass(6_000);
  return id;
}
const clean = (db: Database = test.db) =>
  keepHouse(
    { db, clock: test.clock, log: test.log },
    {
      providers: { of: async ({ provider }) => (provider === 'acme' ? keeper : undefined) },
      retention: { webhookDays: 30 },
    },
  );
/** Copies of a finished video with these columns changed; `n` is the number of the copy. */
const copies = (id: string, count: number, changes: string) =>
  test.db.query(
    `insert into videos select (jsonb_populate_record(v, jsonb_build_object('id', 'video_' || lpad(to_hex(n), 32, '0')) || ${changes})).* from videos v, generate_series(1, ${count}) n where v.id = $1`,
    [id],
  );

describe('the hourly cleanup', () => {
  it('releases what a killed process held for its messages, and keeps younger holds', async () => {
    const ledger = createLedger({ clock: test.clock });
    const { orgId, mode, keyId } = await test.caller('live');
    const hold = (id: string) =>
      test.db.inTransaction((tx) =>
        ledger.hold(tx, { account: { orgId, mode }, keyId, amount: 1_000n, subject: { kind: 'message', id } }),
      );
    const before = await ledger.balances(test.db, { orgId, mode });
    await hold('old');
    await test.pass(2 * 3_600_000 + 1_000);
    const young = await hold('young');
    await clean();
    expect(await ledger.balances(test.db, { orgId, mode })).toMatchObject({
      available: before.available - 1_000n,
      held: before.held + 1_000n,
    });
    await test.db.inTransaction((tx) => ledger.release(tx, young));
  });

  it('removes an expired file once, and no other', async () => {
    const old = await finished();
    await test.pass(29 * 24 * 3_600_000);
    const young = await finished();
    await clean();
    expect(removed).toEqual([]);
    await test.pass(24 * 3_600_000 + 1_000);
    await clean();
    await clean();
    expect(removed).toEqual([{ kept: 'here' }]);
    const { rows } = await test.db.query('select id, file is null as gone from videos order by created_at');
    expect(rows).toEqual([
      { id: old, gone: true },
      { id: young, gone: false },
    ]);
  });

  it('removes the file of a deleted video that could not be removed at once', async () => {
    const id = await finished();
    const caller = await test.caller('live');
    removed.length = 0;
    broken = true;
    await test.gateway.videos.remove(caller, id);
    await expect(test.gateway.videos.get(caller, id)).rejects.toMatchObject({ code: 'video_not_found' });
    broken = false;
    await clean();
    expect(removed).toEqual([{ kept: 'here' }]);
  });

  it('leaves a file on another machine to a process there, without a warning', async () => {
    await finished();
    removed.length = 0;
    test.log.lines.length = 0;
    await test.pass(30 * 24 * 3_600_000 + 1_000);
    isElsewhere = true;
    await clean();
    expect([removed, test.log.lines.filter(({ level }) => level === 'warn')]).toEqual([[], []]);
    isElsewhere = false;
    await clean();
    expect(removed).toContainEqual({ kept: 'here' });
  });

  it('removes the data of a failed video after thirty days', async () => {
    chaos.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    const id = await finished();
    removed.length = 0;
    await clean();
    expect(removed).toEqual([]);
    await test.pass(30 * 24 * 3_600_000 + 1_000);
    await clean();
    expect(removed).toContainEqual({ videoId: id });
  });

  it('removes any number of files in one round, and one that cannot be removed delays no other', async () => {
    chaos.onCheck = async () => completed;
    const id = await finished();
    // Copies of the finished video, each with a file of its own name, all expired.
    await test.db.query(
      `insert into videos select (jsonb_populate_record(v, jsonb_build_object('id', 'video_' || lpad(to_hex(n), 32, '0'), 'file', jsonb_build_object('copy', n), 'expires_at', '2020-01-01T00:00:00Z'))).*
       from videos v, generate_series(1, 150) n where v.id = $1`,
      [id],
    );
    removed.length = 0;
    unremovable = 3;
    test.log.lines.length = 0;
    await clean();
    expect(removed).toHaveLength(149);
    expect(
      test.log.lines
        .filter(({ message }) => message === 'the files of an old video could not be removed')
        .map(({ fields }) => fields.videoId),
    ).toEqual([`video_${'3'.padStart(32, '0')}`]);
    unremovable = undefined;
    await clean();
    expect(removed.at(-1)).toEqual({ copy: 3 });
    await test.db.query(`delete from videos where expires_at = '2020-01-01T00:00:00Z'`);
  });

  it('deletes idempotency keys after a day, and webhooks with their attempts by their age, but none that is still to be sent', async () => {
    const id = await finished();
    const daysAgo = (days: number) => new Date(test.clock.nowMs() - days * 24 * 3_600_000);
    await test.db.query(
      `insert into idempotency_keys (org_id, mode, route, key, body_hash, video_id, created_at) values ('o', 'live', 'r', 'old', 'h', 'v1', $1), ('o', 'live', 'r', 'young', 'h', 'v2', $2)`,
      [daysAgo(1.01), daysAgo(0.99)],
    );
    await test.db.query(
      `insert into webhook_deliveries (id, org_id, mode, video_id, event, url, state, created_at, finished_at)
       select delivery.id, org_id, mode, videos.id, delivery.id, 'https://example.com', delivery.state, $2, delivery.finished
       from videos, (values ('old', 'failed', $3::timestamptz), ('young', 'delivered', $4), ('open', 'pending', null)) as delivery (id, state, finished) where videos.id = $1`,
      [id, daysAgo(40), daysAgo(30.1), daysAgo(29.9)],
    );
    await test.db.query(
      `insert into webhook_attempts (delivery_id, attempt, at, latency_ms) select id, 1, $1, 5 from webhook_deliveries`,
      [daysAgo(40)],
    );
    await clean();
    expect((await test.db.query('select key from idempotency_keys')).rows).toEqual([{ key: 'young' }]);
    for (const [table, column] of [
      ['webhook_deliveries', 'id'],
      ['webhook_attempts', 'delivery_id'],
    ])
      expect((await test.db.query(`select ${column} as id from ${table} order by 1`)).rows).toEqual([
        { id: 'open' },
        { id: 'young' },
      ]);
  });

  it('releases any number of abandoned holds in one round', async () => {
    const { orgId, mode, keyId } = await test.caller('live');
    const ledger = createLedger({ clock: test.clock });
    const before = await ledger.balances(test.db, { orgId, mode });
    await test.db.inTransaction(async (tx) => {
      for (let n = 0; n < 1_050; n += 1)
        await ledger.hold(tx, {
          account: { orgId, mode },
          keyId,
          amount: 10n,
          subject: { kind: 'message', id: newId('request') },
        });
    });
    await test.db.query(
      `update holds set created_at = created_at - interval '3 hours' where subject_kind = 'message' and state = 'open'`,
    );
    await clean();
    expect(await ledger.balances(test.db, { orgId, mode })).toEqual(before);
  });

  it('continues when one part of it fails, and logs which one', async () => {
    const id = await finished();
    await copies(id, 1, `'{"file": {"copy": 1}, "expires_at": "2020-01-01T00:00:00Z"}'`);
    await test.db.query(
      `insert into idempotency_keys (org_id, mode, route, key, body_hash, video_id, created_at) values ('o', 'live', 'r', 'stays', 'h', 'v3', '2020-01-01')`,
    );
    removed.length = 0;
    test.log.lines.length = 0;
    // Safe: bound, so that the query builder keeps its own `this`.
    const orm = new Proxy(test.db.orm, {
      get: (target, name) =>
        name === 'delete'
          ? () => {
              throw new Error('the query took too long');
            }
          : (Reflect.get(target, name) as (...args: never[]) => unknown).bind(target),
    });
    await clean({ ...test.db, orm });
    expect(removed).toEqual([{ copy: 1 }]);
    expect(
      test.log.lines
        .filter(({ message }) => message === 'a part of the housekeeping failed and will be tried again')
        .map(({ fields }) => fields.chore),
    ).toEqual([
      'idempotency keys',
      'webhooks',
      'audit entries',
      'sign-in links',
      'learned limits',
      'ended minutes of spending',
      'expired invitations',
      'conversations of messages',
      'texts of speech',
      'old messages',
      'old spending of keys',
      'chores of unused directories',
      'old durations',
    ]);
    await clean();
    expect((await test.db.query(`select key from idempotency_keys where key = 'stays'`)).rows).toEqual([]);
    await test.db.query(`delete from videos where expires_at = '2020-01-01T00:00:00Z'`);
  });

  it('forgets the learned limit of an account that has refused nothing for a day', async () => {
    await test.db.query(
      `insert into start_limits (queue, running, running_at_account, step, raise_at, earliest_at, pause_ms, refused_at)
       values ('before', 1, 1, 1, $1, $1, 5000, $1), ('now', 1, 1, 1, $2, $2, 5000, $2)`,
      [new Date(test.clock.nowMs() - 25 * 3_600_000), test.clock.now()],
    );
    await clean();
    expect((await test.db.query('select queue from start_limits')).rows).toEqual([{ queue: 'now' }]);
  });

  it('removes the sums of minutes of spending that have ended', async () => {
    await test.db.query(`insert into spend_windows (name, spent, ends_at) values ('before', 1, $1), ('now', 1, $2)`, [
      new Date(test.clock.nowMs() - 2 * 3_600_000),
      test.clock.now(),
    ]);
    await clean();
    expect((await test.db.query('select name from spend_windows')).rows).toEqual([{ name: 'now' }]);
  });

  it('removes rows in batches until none is left', async () => {
    await test.db.query(
      `insert into idempotency_keys (org_id, mode, route, key, body_hash, video_id, created_at) select 'o', 'live', 'r', 'k' || n, 'h', 'w' || n, '2020-01-01' from generate_series(1, 2500) n`,
    );
    await clean();
    expect(
      (await test.db.query(`select count(*)::int as n from idempotency_keys where created_at < '2021-01-01'`)).rows,
    ).toEqual([{ n: 0 }]);
  });

  it('deletes the request of a completed video after thirty days, and of a failed one after a day; the rest can still be read', async () => {
    chaos.onCheck = async () => completed;
    const kept = async (id: string) =>
      (
        await test.db.query(
          `select v."order" is not null as order, v.request is not null as request, bool_or(a.sent is not null) as sent from videos v join video_attempts a on a.video_id = v.id where v.id = $1 group by v.id`,
          [id],
        )
      ).rows[0];
    const all = { order: true, request: true, sent: true };
    const none = { order: false, request: false, sent: false };
    const done = await finished();
    chaos.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    const failed = await finished();
    await test.db.query(`update video_attempts set sent = '{"a": 1}' where video_id in ($1, $2)`, [done, failed]);
    await test.pass(23 * 3_600_000);
    await clean();
    expect([await kept(done), await kept(failed)]).toEqual([all, all]);
    await test.pass(3_601_000);
    await clean();
    expect([await kept(done), await kept(failed)]).toEqual([all, none]);
    await test.pass(29 * 24 * 3_600_000);
    await clean();
    expect(await kept(done)).toEqual(none);

    const caller = await test.caller('live');
    expect((await test.gateway.videos.get(caller, done)).video).toMatchObject({ status: 'completed' });
    const details = await test.gateway.videos.details(caller, done);
    expect('request' in details).toBe(false);
    expect(details.attempts[0]).not.toHaveProperty('sent');
    expect((await test.gateway.videos.search(caller, { limit: 5 })).data.map(({ id }) => id)).toContain(done);
    await expect(test.gateway.videos.request(caller, done)).rejects.toMatchObject({
      code: 'video_expired',
      message: expect.stringContaining('no longer stored'),
    });
    chaos.onCheck = async () => completed;
  });
});

describe('a video without a job', () => {
  const submitted = async () => {
    const { id } = await test.gateway.videos.submit(await test.caller('live'), {
      body: { model: 'acme-t2v', prompt: 'x' },
      textOnly: false,
      requestId: 'req_1',
      automaticRetry: false,
    });
    await test.settle();
    return id;
  };
  const jobsOf = async (id: string) => (await test.db.query('select kind from jobs where subject = $1', [id])).rows;
  const loseJob = (id: string) => test.db.query('delete from jobs where subject = $1', [id]);

  it('gets one, and finishes', async () => {
    const id = await submitted();
    await loseJob(id);
    expect(await jobsOf(id)).toEqual([]);
    await clean();
    await clean();
    await test.pass(6_000);
    expect((await test.gateway.videos.get(await test.caller('live'), id)).video).toMatchObject({
      status: 'completed',
      cost: 0.5,
    });
  });

  it('that never began is begun', async () => {
    chaos.onStart = async () => {
      throw upstreamFailed({ retry: 'later', started: 'no' }, '429');
    };
    const id = await submitted();
    await loseJob(id);
    chaos.onStart = async () => ({});
    await clean();
    await test.settle();
    await test.pass(6_000);
    expect((await test.gateway.videos.get(await test.caller('live'), id)).video).toMatchObject({ status: 'completed' });
  });

  it('whose deadline is over ends uncharged', async () => {
    chaos.onCheck = async () => ({ status: 'in_progress' });
    const id = await submitted();
    await loseJob(id);
    await test.pass(20 * 60_000);
    await clean();
    await test.settle();
    expect((await test.gateway.videos.get(await test.caller('live'), id)).video).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'upstream_timeout' },
    });
    chaos.onCheck = async () => completed;
  });

  it('gets no second one next to an active job', async () => {
    const id = await submitted();
    await clean();
    expect(await jobsOf(id)).toHaveLength(1);
    await test.pass(6_000);
  });

  it('and a webhook without one is sent', async () => {
    const { orgId } = await test.caller('live');
    const delivery = newId('delivery');
    await test.db.query(
      `insert into webhook_deliveries (id, org_id, mode, video_id, event, url, body) values ($1, $2, 'live', 'video_1', 'video.completed', 'https://example.com/hook', '{}')`,
      [delivery, orgId],
    );
    await clean();
    await test.settle();
    expect(
      (await test.db.query('select count(*)::int as n from webhook_attempts where delivery_id = $1', [delivery])).rows,
    ).toEqual([{ n: 1 }]);
    await test.db.query(`delete from webhook_deliveries where id = $1`, [delivery]);
  });
});

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('on Postgres', () => {
  it('removes the inputs of a video that a person deletes at the same moment: neither waits for the other forever', async ({
    onTestFinished,
  }) => {
    const on = await makeAcme({ databaseUrl: await postgres!.createDatabase() });
    onTestFinished(() => on.close());
    const { id } = await on.submit(on.live);
    await on.settle();
    await on.pass(6_000);
    expect((await on.read(on.live, id)).status).toBe('completed');
    const laterMs = on.clock.nowMs() + 6 * 86_400_000;
    const clock = { ...on.clock, now: () => new Date(laterMs), nowMs: () => laterMs };

    let housekeeping: Promise<void> | undefined;
    await on.db.inTransaction(async (tx) => {
      // As `eraseVideo` begins.
      await tx.query('select 1 from videos where id = $1 for update', [id]);
      housekeeping = keepHouse({ db: on.db, clock, log: on.log }, { retention: { inputDays: 5 } });
      await expect
        .poll(async () => {
          const { rows } = await on.db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length;
        })
        .toBeGreaterThan(0);
      await eraseVideo(tx, id, clock.now());
    });
    await housekeeping;
    expect(on.log.lines.filter(({ level }) => level !== 'info')).toEqual([]);
    const { rows } = await on.db.query(
      'select "order", request, sent from videos join video_attempts on video_id = videos.id where videos.id = $1',
      [id],
    );
    expect(rows).toEqual([{ order: null, request: null, sent: null }]);
  });
});
