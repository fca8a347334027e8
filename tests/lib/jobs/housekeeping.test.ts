import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger } from '../../../lib/billing/ledger';
import { createHousekeeping } from '../../../lib/jobs/housekeeping';
import type { Provider } from '../../../lib/domain/provider';
import type { Json } from '../../../lib/domain/json';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { completed, createChaos } from '../../support/chaos-provider';
import { createTestClock } from '../../support/clock';
import { recordLog } from '../../support/log';
import type { Database } from '../../../lib/db/database';
import { perSecond } from '../../../lib/catalog/price-table';
import { firstEdition, videoModel, wholeSeconds } from '../../../lib/catalog/model-entry';

const chaos = createChaos('acme');
const removed: Json[] = [];
let broken = false;
/** The number of the one copy that the disk does not let go. */
let unremovable: number | undefined;
// The chaos provider asks for nothing from outside.
const video = chaos.definition.create(undefined as never).video!;
const keeper: Provider = {
  id: 'acme',
  video: {
    ...video,
    async remove(note) {
      if (broken || (unremovable !== undefined && JSON.stringify(note) === JSON.stringify({ copy: unremovable }))) throw new Error('the disk is away');
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
  test = await makeGateway({ providers: [definition], standIn: definition, models: [model] });
});
afterAll(() => test.close());

async function finished(): Promise<string> {
  const { id } = await test.gateway.videos.submit(await test.caller('live'), { body: { model: 'acme-t2v', prompt: 'x' }, textOnly: false, requestId: 'req_1', automaticRetry: false });
  await test.settle();
  await test.pass(6_000);
  return id;
}
const clean = () => createHousekeeping({ db: test.db, clock: test.clock, log: test.log, ledger: createLedger({ clock: test.clock }), providers: new Map([['acme', keeper]]) }).run();

describe('the hourly cleaning', () => {
  it('gives back what a killed process held for its messages, and leaves what is younger', async () => {
    const ledger = createLedger({ clock: test.clock });
    const { orgId, mode, keyId } = await test.caller('live');
    const hold = (id: string) => test.db.inTransaction((tx) => ledger.hold(tx, { account: { orgId, mode }, keyId, amount: 1_000n, subject: { kind: 'message', id } }));
    const before = await ledger.balances(test.db, { orgId, mode });
    await hold('old');
    await test.pass(2 * 3_600_000 + 1_000);
    const young = await hold('young');
    await clean();
    expect(await ledger.balances(test.db, { orgId, mode })).toMatchObject({ available: before.available - 1_000n, held: before.held + 1_000n });
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

  it('removes the traces of a failed video after thirty days', async () => {
    chaos.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    const id = await finished();
    removed.length = 0;
    await clean();
    expect(removed).toEqual([]);
    await test.pass(30 * 24 * 3_600_000 + 1_000);
    await clean();
    expect(removed).toContainEqual({ videoId: id });
  });

  it('removes any number of files in one round, and one that cannot be removed keeps no other waiting', async () => {
    chaos.onCheck = async () => completed;
    const id = await finished();
    // Copies of the finished video, each with a file of its own name, all past their time.
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
    expect(test.log.lines.filter(({ message }) => message === 'the files of an old video could not be removed').map(({ fields }) => fields.videoId)).toEqual([`video_${'3'.padStart(32, '0')}`]);
    unremovable = undefined;
    await clean();
    expect(removed.at(-1)).toEqual({ copy: 3 });
    await test.db.query(`delete from videos where expires_at = '2020-01-01T00:00:00Z'`);
  });

  it('forgets the keys of requests after a day and the attempts of webhooks after a month', async () => {
    const id = await finished();
    const daysAgo = (days: number) => new Date(test.clock.nowMs() - days * 24 * 3_600_000);
    await test.db.query(
      `insert into idempotency_keys (org_id, mode, route, key, body_hash, video_id, created_at) values ('o', 'live', 'r', 'old', 'h', 'v1', $1), ('o', 'live', 'r', 'young', 'h', 'v2', $2)`,
      [daysAgo(1.01), daysAgo(0.99)],
    );
    await test.db.query(`insert into webhook_deliveries (id, org_id, mode, video_id, event, url) select 'msg_1', org_id, mode, id, 'video.completed', 'https://example.com' from videos where id = $1`, [id]);
    await test.db.query(`insert into webhook_attempts (delivery_id, attempt, at, latency_ms) values ('msg_1', 1, $1, 5), ('msg_1', 2, $2, 5)`, [daysAgo(30.1), daysAgo(29.9)]);
    await clean();
    expect((await test.db.query('select key from idempotency_keys')).rows).toEqual([{ key: 'young' }]);
    expect((await test.db.query('select attempt from webhook_attempts')).rows).toEqual([{ attempt: 2 }]);
  });

  it('comes a minute after the start and then every hour, also after a round that failed, until it is stopped', async () => {
    const clock = createTestClock();
    const log = recordLog();
    let rounds = 0;
    // The first thing that a round does.
    const orm = {
      delete: () => {
        rounds += 1;
        throw new Error('the database is away');
      },
    };
    const housekeeping = createHousekeeping({ db: { ...test.db, orm: orm as unknown as Database['orm'] }, clock, log, ledger: createLedger({ clock }), providers: new Map() });
    housekeeping.start();
    const after = async (ms: number) => {
      await clock.advance(ms);
      return rounds;
    };
    expect([await after(59_999), await after(1), await after(3_599_999), await after(1), await after(3_600_000)]).toEqual([0, 1, 1, 2, 3]);
    expect(log.lines.filter(({ message }) => message === 'the hourly cleaning failed and will be tried again')).toHaveLength(3);
    housekeeping.stop();
    expect(await after(36_000_000)).toBe(3);
  });
});
