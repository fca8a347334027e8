import { randomUUID } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFirstOrganization } from '../../lib/accounts/first-organization';
import { makeKey } from '../../lib/accounts/keys';
import { createSealer } from '../../lib/accounts/seal';
import { unrestricted } from '../../lib/accounts/seed';
import { createLedger } from '../../lib/billing/ledger';
import { readConfig } from '../../lib/config';
import { readSecrets } from '../../lib/config-secrets';
import type { Database } from '../../lib/db/database';
import { insertKey } from '../../lib/db/keys';
import { systemClock } from '../../lib/domain/clock';
import { parseUsd } from '../../lib/domain/money';
import { checkBooks } from '../support/check-books';
import { freePort } from '../support/child-server';
import { startCrashServer, videoPoints } from '../support/crash-gateway';
import { openDatabaseAt, startPostgres } from '../support/postgres';
import { isFullRun, leftToGate } from '../support/proof-runs';

// Two processes for the requests and two for the jobs on one Postgres. One of them is stopped (SIGSTOP), as by a
// virtual machine that migrates, for longer than its lease, and then continues. At each point every video ends once, is
// charged once and has one webhook. Two points run in the gate, otherwise one, and the test expires the lease itself;
// PAUSE_SECONDS=60 runs all points in real time (about ten minutes).

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const seconds = process.env.PAUSE_SECONDS === undefined ? undefined : Number(process.env.PAUSE_SECONDS);
/** Long enough for a round of the queue's maintenance to give the job to the other worker. */
const SHORT_PAUSE_SECONDS = 14;
const VIDEOS = 4;

const points =
  seconds === undefined ? (['before save of the receipt', 'before terminal commit'] as const) : videoPoints;

describe.skipIf(!postgres)(
  'a process that is paused for longer than its lease',
  { concurrent: seconds !== undefined },
  () => {
    describe.each(points)('%s', (point) => {
      const isLeft = seconds === undefined && !isFullRun() && point !== 'before terminal commit';
      it(
        'every video ends once, charged once, with one webhook',
        { timeout: 420_000, ...leftToGate(isLeft) },
        async () => {
          const gateway = await makePausedGateway(point);
          try {
            const submitting = Promise.all(Array.from({ length: VIDEOS }, (_, n) => gateway.submit(n)));
            await gateway.pauseFor(await gateway.paused());
            const ids = await submitting;
            for (const id of ids)
              expect(await gateway.ended(id)).toMatchObject({ status: 'completed', cost: 0.01, duration_seconds: 1 });
            await until(() => ids.every((id) => gateway.deliveries.has(id)));
            await gateway.stop();
            for (const id of ids) expect(new Set(gateway.deliveries.get(id)).size).toBe(1);
            expect(await checkBooks(gateway.db, { quiet: true })).toEqual([]);
            expect((await gateway.db.query('select count(*)::int as n from videos')).rows).toEqual([{ n: VIDEOS }]);
            expect(
              (
                await gateway.db.query(
                  'select held_nano_usd::text as held, spent_nano_usd::text as spent from accounts where mode = $1',
                  ['test'],
                )
              ).rows,
            ).toEqual([{ held: '0', spent: String(VIDEOS * 10_000_000) }]);
          } finally {
            await gateway.remove();
          }
        },
      );
    });
  },
);

async function makePausedGateway(point: string) {
  const url = await postgres!.createDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-pause-'));
  const pauseFile = path.join(dataDir, 'paused');
  const env = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    AUTH_SECRET: 'signs sign-ins of tests and nothing else',
    MASTER_KEY: 'seals secrets of tests and nothing else',
  };
  const db = await openDatabaseAt(url);
  const key = await makeTestKey(db, env);

  /** The ids of the webhooks of each video. */
  const deliveries = new Map<string, string[]>();
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(parts).toString()) as { id: string };
      deliveries.set(id, [...(deliveries.get(id) ?? []), String(request.headers['webhook-id'])]);
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  const children: ChildProcess[] = [];
  const start = async (role: 'web' | 'worker') => {
    const port = await freePort();
    const { child, listens } = startCrashServer([point], {
      ...env,
      PORT: String(port),
      PATCHBAY_ROLE: role,
      PAUSE_FILE: pauseFile,
    });
    children.push(child);
    await listens;
    return `http://127.0.0.1:${port}`;
  };
  const [one, two] = await Promise.all([start('web'), start('web'), start('worker'), start('worker')]);
  const web = [one, two];

  /** Retries as a client does that waits for twenty seconds and then calls the other process with the same key. */
  async function ask(
    method: string,
    route: string,
    first: number,
    body?: unknown,
    headers = {},
  ): Promise<Record<string, unknown>> {
    for (let attempt = first; ; attempt += 1) {
      const response = await fetch(`${web[attempt % 2]}${route}`, {
        method,
        signal: AbortSignal.timeout(20_000),
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined);
      if (response?.ok) return (await response.json()) as Record<string, unknown>;
      await pause(500);
    }
  }

  return {
    db,
    deliveries,
    async submit(n: number) {
      const order = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8, webhook: hook };
      return String((await ask('POST', '/v1/videos', n, order, { 'idempotency-key': randomUUID() })).id);
    },
    /** The process that stopped. */
    async paused() {
      let pid = '';
      await until(async () => (pid = await readFile(pauseFile, 'utf8').catch(() => '')) !== '');
      return Number(pid);
    },
    async pauseFor(pid: number) {
      await pause(1_000);
      if (seconds === undefined)
        await db.query(
          `update jobs set leased_until = leased_until - interval '31 seconds' where leased_until is not null`,
        );
      await pause((seconds ?? SHORT_PAUSE_SECONDS) * 1_000);
      process.kill(pid, 'SIGCONT');
    },
    async ended(id: string) {
      let video: Record<string, unknown> = {};
      await until(async () => {
        video = await ask('GET', `/v1/videos/${id}`, 0);
        return video.status === 'completed' || video.status === 'failed';
      });
      return video;
    },
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const gone = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGTERM');
          await gone;
        }),
      );
    },
    async remove() {
      for (const child of children) child.kill('SIGKILL');
      await new Promise((resolve) => receiver.close(resolve));
      await db.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeTestKey(db: Database, env: Record<string, string>): Promise<string> {
  const secrets = readSecrets(readConfig(env, []));
  return db.inTransaction(async (tx) => {
    const made = await makeFirstOrganization(
      { ledger: createLedger({ clock: systemClock }), sealer: createSealer(secrets.masterKey), clock: systemClock },
      tx,
      {
        name: 'Acme',
        owner: { email: 'acme@example.com', passwordHash: 'none' },
        liveCredits: 0n,
        testCredits: parseUsd('1000'),
      },
    );
    const { key, row } = makeKey(made, systemClock.now(), {
      ...unrestricted,
      mode: 'test',
      scopes: ['inference'],
      name: 'test',
    });
    await insertKey(tx, row);
    return key;
  });
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(200);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
