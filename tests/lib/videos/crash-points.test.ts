import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FirstRun } from '../../../lib/accounts/first-run-file';
import { readConfig } from '../../../lib/config/config';
import type { Database } from '../../../lib/db/database';
import type { Caller } from '../../../lib/domain/caller';
import type { Gateway } from '../../../lib/gateway';
import type { Submitted } from '../../../lib/videos/videos';
import { composeGateway } from '../../../server/compose';
import { createChaos, completed, completedUntil, type Chaos, type ChaosOptions } from '../../support/chaos-provider';
import { checkBooks } from '../../../lib/db/check-books';
import { createTestClock } from '../../support/clock';
import { openTestDatabase } from '../../support/database';
import { recordLog } from '../../support/log';
import { startSentinel, type Sentinel } from '../../support/sentinel';
import { acme as model } from './make-acme';
import { mortalView, type DeathPoint, type MortalDatabase } from './mortal-database';
import { countDueJobs, passJobTime } from '../../support/jobs';

// One process dies at a named point, another starts on the same data. Accepted work is neither lost nor charged twice.

let db: Database;
let dataDir: string;
let receiver: Sentinel;
const clock = createTestClock();

beforeAll(async () => {
  db = await openTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-test-'));
  receiver = await startSentinel();
});
afterAll(async () => {
  await receiver.close();
  await db.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Process {
  readonly gateway: Gateway;
  readonly view: MortalDatabase;
  readonly caller: Caller;
  submit(key: string): Promise<Submitted>;
  end(): Promise<void>;
}

async function startProcess(chaos: Chaos, env: Record<string, string> = {}): Promise<Process> {
  const view = mortalView(db);
  const beta = createChaos('beta');
  const definitions = [chaos.definition, beta.definition];
  const { gateway } = await composeGateway(
    readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', OUTBOUND_ALLOW: '127.0.0.0/8', ...env }, definitions),
    {
      providers: definitions,
      testProvider: beta.definition,
      models: [model],
      random: () => 0.5,
      lookup: async () => ['127.0.0.1'],
      clock,
      log: recordLog(),
      database: view,
    },
  );
  const { keys } = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
  const caller = await gateway.accounts.authenticate({ authorization: `Bearer ${keys.live}` }, '127.0.0.1');
  return {
    gateway,
    view,
    caller,
    submit: (idempotencyKey) =>
      gateway.videos.submit(caller, {
        body: {
          model: 'alpha/acme-t2v',
          prompt: 'a cat',
          webhook: `http://127.0.0.1:${receiver.port}/${idempotencyKey}`,
        },
        textOnly: false,
        requestId: 'req_1',
        automaticRetry: false,
        idempotencyKey,
      }),
    async end() {
      // A dead process reports an error when it is stopped; only the end of its timers matters here.
      const closing = gateway.close().then(
        () => 'ended',
        () => 'ended',
      );
      while ((await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 2))])) !== 'ended')
        await clock.advance(500);
    },
  };
}

/** Lets time pass until the process is dead, or there is nothing left to do. */
async function work({ view }: Process, ms = 0): Promise<void> {
  if (ms > 0) {
    await clock.advance(ms);
    await passJobTime(db, ms);
  }
  for (;;) {
    const { due } = await countDueJobs(db);
    if (due === 0 || view.isDead()) return;
    await clock.advance(500);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
/**
 * Long enough for every pause of a video and its webhook, including the wait for an answer that another process may
 * still store.
 */
async function finish(process: Process): Promise<void> {
  for (let round = 0; round < 10; round += 1) await work(process, 15_000);
}

let scenarios = 0;
async function spent(caller: Caller, gateway: Gateway): Promise<number> {
  return Number((await gateway.accounts.credits(caller)).spent);
}

interface Aftermath {
  readonly status: 'completed' | 'failed';
  readonly code?: string;
  readonly starts: number;
  readonly webhookPosts?: number;
  /** How often the file was read from the provider, in a run with an archive. */
  readonly opens?: number;
}

type Death = DeathPoint | 'while checking' | 'while copying';

/** Runs one video through two processes, of which the first dies at the point, and checks every guarantee. */
async function dieAndRecover(
  point: Death,
  options: ChaosOptions = {},
  { archive = false }: { readonly archive?: boolean } = {},
): Promise<Aftermath> {
  const env = archive ? { MEDIA_STORE: path.join(dataDir, 'archive') } : {};
  const outcome = archive ? completedUntil(new Date(clock.nowMs() + 24 * 3_600_000)) : completed;
  const chaos = createChaos('alpha', options);
  const key = `scenario-${(scenarios += 1)}`;
  const first = await startProcess(chaos, env);
  const before = await spent(first.caller, first.gateway);
  chaos.onCheck = async () => outcome;
  if (point === 'while checking') {
    chaos.onCheck = async () => {
      first.view.die();
      throw new Error('cut off');
    };
  } else if (point === 'while copying') {
    chaos.onOpen = async () => {
      first.view.die();
      throw new Error('cut off');
    };
  } else {
    first.view.dieAt(point);
  }
  const answered = await first.submit(key).catch(() => undefined);
  await work(first);
  for (let round = 0; round < 3 && !first.view.isDead(); round += 1) await work(first, 6_000);
  expect(first.view.isDead()).toBe(true);
  await first.end();
  chaos.onCheck = async () => outcome;
  chaos.onOpen = async () => {};

  const second = await startProcess(chaos, env);
  const { caller, gateway } = second;
  // The client got no answer, or lost it: it retries with the same key.
  const again = await second.submit(key);
  if (answered) expect([again.id, again.replayed]).toEqual([answered.id, true]);
  await work(second);
  await finish(second);

  const { video } = await gateway.videos.get(caller, again.id);
  expect(await checkBooks(db, { quiet: true })).toEqual([]);
  expect((await spent(caller, gateway)) - before).toBeCloseTo(video.status === 'completed' ? 0.5 : 0, 9);
  expect(video.cost).toBe(video.status === 'completed' ? 0.5 : 0);
  expect((await db.query('select count(*)::int as n from idempotency_keys where key = $1', [key])).rows).toEqual([
    { n: 1 },
  ]);

  const posts = receiver.requests.filter(({ url }) => url === `/${key}`);
  expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(posts.map(({ body }) => body))).toEqual(new Set([JSON.stringify(video)]));
  const [delivery, ...more] = await gateway.webhooks.listOfVideo(caller, again.id);
  expect([delivery?.state, more]).toEqual(['delivered', []]);
  expect(new Set(chaos.calls.starts.map(({ videoId }) => videoId)).size).toBeLessThanOrEqual(1);
  await second.end();
  // Safe: the books were checked with nothing running, so the video has ended.
  const status = video.status as Aftermath['status'];
  return {
    status,
    ...(video.error ? { code: (video.error as { code: string }).code } : {}),
    starts: chaos.calls.starts.length,
    webhookPosts: posts.length,
    ...(archive ? { opens: chaos.calls.opens.length } : {}),
  };
}

const done: Aftermath = { status: 'completed', starts: 1, webhookPosts: 1 };
const unconfirmed: Aftermath = { status: 'failed', code: 'upstream_unconfirmed', starts: 1, webhookPosts: 1 };

describe('a process that dies', () => {
  it('before the commit of a submission has accepted nothing: the same request makes the one job', async () => {
    expect(await dieAndRecover({ what: 'insert videos', when: 'before commit' })).toEqual(done);
  });

  it('after the commit of a submission, before its answer, has accepted it: the same request gets that job', async () => {
    expect(await dieAndRecover({ what: 'insert videos', when: 'after commit' })).toEqual(done);
  });

  it('before it recorded which provider it would call leaves the start to the next', async () => {
    expect(await dieAndRecover({ what: 'insert video_attempts', when: 'before commit' })).toEqual(done);
  });

  it('while it prepares the request has sent nothing: the next process starts the video', async () => {
    expect(await dieAndRecover({ what: 'insert video_attempts', when: 'after commit' })).toEqual(done);
  });

  it('before the point of no return is stored has sent nothing: the next process starts the video', async () => {
    expect(await dieAndRecover({ what: 'update video_attempts', when: 'before commit' })).toEqual(done);
  });

  it('after the point of no return fails the video uncharged, because the provider may have been called', async () => {
    expect(await dieAndRecover({ what: 'update video_attempts', when: 'after commit' })).toEqual({
      ...unconfirmed,
      starts: 0,
    });
  });

  it('after the point of no return retries a provider that recognises our ids', async () => {
    expect(await dieAndRecover({ what: 'update video_attempts', when: 'after commit' }, { repeatable: true })).toEqual(
      done,
    );
  });

  it('after the provider accepted, before that was stored, never submits a second time', async () => {
    expect(await dieAndRecover({ what: 'update video_attempts', nth: 2, when: 'before commit' })).toEqual(unconfirmed);
  });

  it('after the provider accepted, before that was stored, retries the same video at a provider that recognises our ids', async () => {
    expect(
      await dieAndRecover({ what: 'update video_attempts', nth: 2, when: 'before commit' }, { repeatable: true }),
    ).toEqual({ ...done, starts: 2 });
  });

  it('after the provider accepted, before that was stored, finds the video at a provider that looks it up', async () => {
    const point = { what: 'update video_attempts', nth: 2, when: 'before commit' } as const;
    expect(await dieAndRecover(point, { recover: 'started' })).toEqual(done);
    expect(await dieAndRecover(point, { recover: 'not_started' })).toEqual({ ...done, starts: 2 });
  });

  it("after the provider's answer was stored continues with the check", async () => {
    expect(await dieAndRecover({ what: 'update video_attempts', nth: 2, when: 'after commit' })).toEqual(done);
  });

  it('during a check is followed by a check', async () => {
    expect(await dieAndRecover('while checking')).toEqual(done);
  });

  it('before the commit of the end leaves the end to the next', async () => {
    expect(await dieAndRecover({ what: 'insert webhook_deliveries', when: 'before commit' })).toEqual(done);
  });

  it('after the commit of the end has charged, once', async () => {
    expect(await dieAndRecover({ what: 'insert webhook_deliveries', when: 'after commit' })).toEqual(done);
  });

  it("between a webhook's answer and its record sends it again under the same id", async () => {
    expect(await dieAndRecover({ what: 'insert webhook_attempts', when: 'before commit' })).toEqual({
      ...done,
      webhookPosts: 2,
    });
  });

  it("after a webhook's record does not send it again", async () => {
    expect(await dieAndRecover({ what: 'insert webhook_attempts', when: 'after commit' })).toEqual(done);
  });
});

describe('a process with an archive that dies', () => {
  const archive = { archive: true };

  it('while it copies a file leaves the copy to the next', async () => {
    expect(await dieAndRecover('while copying', {}, archive)).toEqual({ ...done, opens: 2 });
  });

  it('between the copy and the end of the video leaves the end to the next, which copies nothing', async () => {
    const point: DeathPoint = { what: 'insert webhook_deliveries', when: 'before commit' };
    expect(await dieAndRecover(point, {}, archive)).toEqual({ ...done, opens: 1 });
  });

  it('after the commit of the end has charged, once', async () => {
    const point: DeathPoint = { what: 'insert webhook_deliveries', when: 'after commit' };
    expect(await dieAndRecover(point, {}, archive)).toEqual({ ...done, opens: 1 });
  });
});

describe('a database that is unavailable for a moment', () => {
  it("loses nothing, whatever was to be stored: not even the provider's answer, which exists nowhere else", async () => {
    const chaos = createChaos('alpha');
    const process = await startProcess(chaos);
    for (const what of [
      'insert video_attempts',
      'update video_attempts',
      'insert webhook_deliveries',
      'insert webhook_attempts',
    ] as const)
      process.view.failNext(what, 3);
    const { id } = await process.submit('away');
    // A failed job is retried two seconds later.
    for (let round = 0; round < 12; round += 1) await work(process, 6_000);
    expect(await process.gateway.videos.get(process.caller, id)).toMatchObject({
      video: { status: 'completed', cost: 0.5 },
    });
    expect(chaos.calls.starts).toHaveLength(1);
    expect(
      new Set(receiver.requests.filter(({ url }) => url === '/away').map(({ headers }) => headers['webhook-id'])).size,
    ).toBe(1);
    expect(await checkBooks(db, { quiet: true })).toEqual([]);
    await process.end();
  });
});

describe('a process whose database is away for three minutes', () => {
  it("stores the provider's answer when the database is back", async () => {
    const chaos = createChaos('alpha');
    const process = await startProcess(chaos);
    chaos.onStart = async () => {
      process.view.failNext('update videos', Infinity);
      return {};
    };
    const { id } = await process.submit('long-away');
    await expect.poll(() => chaos.calls.starts.length).toBe(1);
    for (let seconds = 0; seconds < 180; seconds += 1) {
      await clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    process.view.failNext('update videos', 0);
    await finish(process);
    expect(await process.gateway.videos.get(process.caller, id)).toMatchObject({
      video: { status: 'completed', cost: 0.5 },
    });
    expect(chaos.calls.starts).toHaveLength(1);
    await process.end();
  });
});

describe('a process that is stopped', () => {
  it('while it prepares a request sends nothing: the next process starts the video', async () => {
    const chaos = createChaos('alpha');
    let isPreparing = false;
    let continuePreparing = () => {};
    chaos.onPrepare = () => {
      isPreparing = true;
      return new Promise((resolve) => (continuePreparing = resolve));
    };
    // The provider takes longer to answer than the stopping process has left.
    chaos.onStart = (_start, _call, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const first = await startProcess(chaos);
    const { id } = await first.submit('stopped');
    await expect.poll(() => isPreparing).toBe(true);
    first.gateway.drain();
    await clock.advance(20_000);
    continuePreparing();
    await first.end();
    expect(chaos.calls.starts).toEqual([]);

    chaos.onPrepare = async () => {};
    chaos.onStart = async () => ({});
    const second = await startProcess(chaos);
    await finish(second);
    expect(await second.gateway.videos.get(second.caller, id)).toMatchObject({
      video: { status: 'completed', cost: 0.5 },
    });
    expect(chaos.calls.starts).toHaveLength(1);
    await second.end();
  });

  it('while a provider answers waits for the answer and stores it', async () => {
    const chaos = createChaos('alpha');
    let answer = () => {};
    chaos.onStart = (_start, _call, signal) =>
      new Promise((resolve, reject) => {
        answer = () => resolve({});
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const first = await startProcess(chaos);
    const { id } = await first.submit('answers-late');
    await expect.poll(() => chaos.calls.starts.length).toBe(1);
    first.gateway.drain();
    await clock.advance(39_000);
    answer();
    await first.end();

    const second = await startProcess(chaos);
    await finish(second);
    expect(await second.gateway.videos.get(second.caller, id)).toMatchObject({ video: { status: 'completed' } });
    expect(chaos.calls.starts).toHaveLength(1);
    await second.end();
  });
});

describe('processes that die at any statement', () => {
  it('one after the other, with five running videos, lose none and charge none twice', async () => {
    const chaos = createChaos('alpha', { repeatable: true });
    const promised = new Map<string, string>();
    let process = await startProcess(chaos);
    const before = await spent(process.caller, process.gateway);
    const keys = Array.from({ length: 5 }, (_, index) => `storm-${index}`);
    let deaths = 0;
    for (let statements = 4; statements < 160; statements = Math.ceil(statements * 1.25)) {
      process.view.dieAfter(statements);
      for (const key of keys) {
        const answer = await process.submit(key).catch(() => undefined);
        if (!answer) continue;
        expect(promised.get(key) ?? answer.id).toBe(answer.id);
        promised.set(key, answer.id);
      }
      await work(process);
      await work(process, 6_000);
      if (process.view.isDead()) deaths += 1;
      await process.end();
      process = await startProcess(chaos);
    }
    expect(deaths).toBeGreaterThan(5);

    for (const key of keys) {
      const { id } = await process.submit(key);
      expect(promised.get(key) ?? id).toBe(id);
    }
    await finish(process);
    await finish(process);
    expect(await checkBooks(db, { quiet: true })).toEqual([]);
    expect((await spent(process.caller, process.gateway)) - before).toBeCloseTo(2.5, 9);
    for (const key of keys) {
      const posts = receiver.requests.filter(({ url }) => url === `/${key}`);
      expect(posts.length).toBeGreaterThanOrEqual(1);
      expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    }
    await process.end();
  });
});
