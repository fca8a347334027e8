import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { checkBooks } from '../../lib/db/check-books';
import { freePort } from '../support/child-server';
import { startCrashServer } from '../support/crash-gateway';
import { callOnce } from '../support/fleet';
import { sharedSecrets } from '../support/gateway';
import { openDatabaseAt, startPostgres } from '../support/postgres';
import { checkOutPrevious, findPreviousVersion, migrateLikeThis } from '../support/previous-version';
import { projectRoot } from '../support/project';
import { startBalancer, startTraffic } from '../support/rolling';

// An upgrade from the version before, as docs/operating.md describes it: its processes go on while this version migrates
// their database, and are replaced one after the other.

const OPERATOR_TOKEN = 'operator'.repeat(5);
/** The time between "not ready" and the end of a port, as in the product. */
const NOTICE_MS = '5000';
/** Suites of the version before that use its database in all ways that requests and jobs do. */
const SUITES = (
  process.env.PREVIOUS_SUITES ??
  'tests/lib/videos tests/lib/messages tests/lib/audio tests/lib/billing tests/lib/jobs tests/lib/webhooks tests/lib/accounts tests/conformance'
).split(' ');
/** Builds the product, which needs its packages in the folder of the checkout, where there is only a link. */
const BUILDS = 'tests/conformance/slow-readers.test.ts';

/** The test files of these folders, or these files, in the checkout, but for the one that builds. */
function filesOf(root: string, suites: readonly string[]): string[] {
  return suites.flatMap((suite) =>
    suite.endsWith('.test.ts')
      ? [suite]
      : readdirSync(path.join(root, suite), { recursive: true, encoding: 'utf8' })
          .map((name) => path.join(suite, name))
          .filter((file) => file.endsWith('.test.ts') && file !== BUILDS),
  );
}

const previous = findPreviousVersion();
const postgres = previous && (await startPostgres());
const checkout = previous && checkOutPrevious(previous);
afterAll(async () => {
  checkout?.remove();
  await postgres?.close();
});
/** With the same schema, its tests would show nothing new; named ones run all the same. */
const hasNewSchema = previous !== undefined && previous.newMigrations.length > 0;
const runsSuites = hasNewSchema || process.env.PREVIOUS_SUITES !== undefined;
if (previous) console.log(`The version before is ${previous.commit.slice(0, 8)}: ${previous.reason}.`);

describe.skipIf(!checkout)('the version before', () => {
  it.skipIf(!postgres)(
    'is replaced process by process under load without a failed request',
    { timeout: 600_000 },
    async ({ onTestFinished }) => {
      const url = await postgres!.createDatabase();
      const dataDir = mkdtempSync(path.join(tmpdir(), 'patchbay-upgrade-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      const processes = [await addProcess(), await addProcess()];
      onTestFinished(() => Promise.all(processes.map((one) => one.end('SIGKILL'))).then(() => undefined));
      for (const one of processes) await one.start(checkout!.root);

      const made = await callOnce(processes[0]!.baseUrl, 'POST', '/internal/operator/keys', {
        key: OPERATOR_TOKEN,
        body: { name: 'Test', mode: 'test', scopes: ['inference'] },
      });
      expect([made.status, made.json]).toEqual([201, expect.anything()]);
      const key = String(made.json.key);
      const balancer = startBalancer(processes);
      onTestFinished(() => balancer.stop());
      const traffic = startTraffic(balancer, { key });
      onTestFinished(() => traffic.stop());
      await expect.poll(() => traffic.ids.length, { timeout: 60_000 }).toBeGreaterThan(1);

      for (const one of processes) {
        await one.end('SIGTERM');
        await one.start(projectRoot);
        await expect.poll(() => balancer.isReady(one), { timeout: 60_000 }).toBe(true);
        // The first of them has migrated the database; the other one is still of the version before.
        const answeredBefore = traffic.answered();
        await expect.poll(() => traffic.answered(), { timeout: 60_000 }).toBeGreaterThan(answeredBefore + 50);
      }
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
      console.log(`${traffic.answered()} requests and ${traffic.ids.length} videos during the upgrade.`);
      for (const id of traffic.ids) {
        const read = async () => (await callOnce(processes[0]!.baseUrl, 'GET', `/v1/videos/${id}`, { key })).json;
        await expect
          .poll(async () => (await read()).status, { timeout: 120_000, interval: 200 })
          .toMatch(/^(?:completed|failed)$/);
        const video = await read();
        expect(video, JSON.stringify(video)).toMatchObject({ status: 'completed', cost: 0.01 });
      }
      await Promise.all(processes.map((one) => one.end('SIGTERM')));
      const db = await openDatabaseAt(url);
      onTestFinished(() => db.close());
      expect(await checkBooks(db, { quiet: true })).toEqual([]);

      async function addProcess() {
        const port = await freePort();
        let child: ChildProcess | undefined;
        return {
          baseUrl: `http://127.0.0.1:${port}`,
          async start(root: string) {
            const started = startCrashServer(
              ['none'],
              {
                ...sharedSecrets,
                DATABASE_URL: url,
                DATA_DIR: dataDir,
                OPERATOR_TOKEN,
                BOOTSTRAP_OWNER_EMAIL: 'owner@example.com',
                BOOTSTRAP_OWNER_PASSWORD: 'correct horse battery staple',
                DRAIN_NOTICE_MS: NOTICE_MS,
                PORT: String(port),
              },
              { root },
            );
            child = started.child;
            await started.listens;
          },
          async end(signal: NodeJS.Signals) {
            if (!child || child.exitCode !== null || child.signalCode !== null) return;
            const gone = once(child, 'exit');
            child.kill(signal);
            await gone;
          },
        };
      }
    },
  );

  if (previous && !runsSuites) console.log('Skipped: the tests of the version before, because it has the same schema.');
  it.skipIf(!runsSuites)('passes its own tests on the schema of this version', { timeout: 3_600_000 }, () => {
    migrateLikeThis(checkout!);
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...filesOf(checkout!.root, SUITES)],
      {
        cwd: checkout!.root,
        env: {
          ...process.env,
          PROOF_RUNS: '0.1',
          VITEST: undefined,
          VITEST_WORKER_ID: undefined,
          VITEST_POOL_ID: undefined,
        },
        stdio: 'inherit',
      },
    );
    expect(status).toBe(0);
  });
});
