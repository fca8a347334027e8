import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { FirstRun } from '../../lib/accounts/first-run-file';
import { readConfig, type Config } from '../../lib/config/config';
import { readSecrets } from '../../lib/config/secrets';
import type { Database } from '../../lib/db/database';
import type { Clock } from '../../lib/domain/clock';
import type { Caller } from '../../lib/domain/caller';
import { newId } from '../../lib/domain/ids';
import type { Mode } from '../../lib/domain/video';
import type { Gateway } from '../../lib/gateway';
import { providerDefinitions } from '../../lib/providers/registry';
import { composeGateway, type Composed, type ComposeOverrides } from '../../server/compose';
import { checkBooks } from '../../lib/db/check-books';
import { createTestClock, type TestClock } from './clock';
import { openEmbeddedTestDatabase, openTestDatabase } from './database';
import { emailOf, makeOrganization as makeOrganizationIn } from './organization';
import { openDatabaseAt } from './postgres';
import { recordLog, type RecordedLog } from './log';
import { cheapPasswords } from './passwords';
import { startWorker } from './workers';
import { COMPLETE, PUT_BACK, RETRY } from '../../lib/jobs/statements';
import { countDueJobs, passJobTime } from './jobs';

// The product as `server/compose.ts` builds it, on a fresh database in memory, with a clock that the test controls.
// When it is closed, the ledger and the invariants of every video are checked, whatever the test was about.

export interface TestGateway {
  readonly gateway: Gateway;
  /** With METRICS_PORT in `env`. */
  readonly prometheus: Composed['prometheus'];
  readonly db: Database;
  readonly clock: TestClock;
  readonly log: RecordedLog;
  readonly firstRun: FirstRun;
  readonly dataDir: string;
  caller(mode?: Mode): Promise<Caller>;
  /** Advances the time of the clocks and the queue, then waits until no due job is left. */
  pass(ms: number): Promise<void>;
  /** Waits until no due job is left. */
  settle(): Promise<void>;
  /** Another organisation with its own keys and credits. */
  makeOrganization(name: string): Promise<{ test: string; live: string }>;
  close(options?: { checked?: false }): Promise<void>;
}

export interface TestGatewayOptions extends Omit<ComposeOverrides, 'clock' | 'log' | 'database'> {
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Partial<Config>;
  /** The real clock, for tests over a real port. */
  readonly clock?: Clock;
  /**
   * An external database, opened by the product, instead of a fresh embedded one. It is not seeded, so each gateway on
   * it gets its own organisation; the webhook secret of `firstRun` is then empty.
   */
  readonly databaseUrl?: string;
  /** The embedded database itself, where a Postgres would take its place (see `openTestDatabase`). */
  readonly embedded?: true;
  /** The embedded database as the product sees it. */
  readonly viewOf?: (db: Database) => Database;
}

/** Jobs that do not change for this long are waiting for the test clock. */
const RUNNING_JOBS_MS = 50;
/** What has waited for this long answers no more, and is brought to its time limit in larger steps. */
const SILENT_JOBS_MS = 1_000;
/**
 * In `pass`, timers may be late in a time as long as this, by up to this share of it. What looks for work every second
 * or minute would otherwise ask the database thousands of times a day, and nothing is due by its clock.
 */
const MIN_LONG_MS = 1_800_000;
const LONG_LATE_SHARE = 0.05;
/** The end of a job is announced (see `watchJobs`), but not that of a job in another process. */
const JOBS_POLL_INTERVAL_MS = 25;

export async function makeGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const {
    env = {},
    config: configChange,
    clock: realClock,
    databaseUrl,
    embedded,
    viewOf = (db) => db,
    ...overrides
  } = options;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-test-'));
  // For an external database the test has its own connections.
  const db =
    databaseUrl === undefined
      ? await (embedded ? openEmbeddedTestDatabase() : openTestDatabase())
      : await openDatabaseAt(databaseUrl, overrides.neonProxy === undefined ? {} : { neonProxy: overrides.neonProxy });
  const clock = createTestClock();
  const jobs = watchJobs(db);
  const log = recordLog();
  const definitions = overrides.providers ?? providerDefinitions;
  const external = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, ...sharedSecrets };
  const config = {
    ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...external, ...env }, definitions),
    ...configChange,
  };
  const { gateway, prometheus } = await composeGateway(config, {
    random: () => 0.5,
    lookup: async () => [],
    passwords: cheapPasswords(),
    startWorker,
    ...overrides,
    clock: realClock ?? clock,
    log,
    ...(databaseUrl === undefined ? { database: viewOf(jobs.db) } : {}),
  });
  const firstRun =
    databaseUrl === undefined
      ? (JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun)
      : await seedExternal();

  async function settle(): Promise<void> {
    let running = '';
    let changedAt = performance.now();
    let unchangedSince = changedAt;
    for (;;) {
      const changed = jobs.nextEnd();
      const jobsNow = await countDueJobs(db);
      if (jobsNow.due === 0) return;
      if (running !== jobsNow.running) {
        running = jobsNow.running;
        changedAt = unchangedSince = performance.now();
      }
      // Wakes the loops that wait for jobs. Running jobs get real time first: on a busy machine they would otherwise meet
      // their time limits, which the test clock measures.
      if (!realClock && (running === '' || performance.now() - unchangedSince >= RUNNING_JOBS_MS)) {
        await clock.advance(performance.now() - changedAt < SILENT_JOBS_MS ? 500 : 5_000);
        unchangedSince = performance.now();
      }
      await Promise.race([
        changed,
        new Promise((resolve) => setTimeout(resolve, running === '' ? 5 : JOBS_POLL_INTERVAL_MS)),
      ]);
    }
  }

  async function makeOrganization(name: string): Promise<{ test: string; live: string }> {
    const { masterKey } = readSecrets(config);
    return (await makeOrganizationIn(db, { name, masterKey, clock: gateway.clock })).keys;
  }

  async function seedExternal(): Promise<FirstRun> {
    const name = newId('org');
    const keys = await makeOrganization(name);
    return {
      base_url: gateway.baseUrl,
      console_url: `${gateway.baseUrl}/console`,
      owner: { email: emailOf(name), password: '' },
      keys,
      webhook_secret: '',
    };
  }

  return {
    gateway,
    prometheus,
    db,
    clock,
    log,
    firstRun,
    dataDir,
    caller: (mode = 'test') =>
      gateway.accounts.authenticate({ authorization: `Bearer ${firstRun.keys[mode]}` }, '127.0.0.1'),
    async pass(ms) {
      // The clock first: a job that began before it would see hours pass, and exceed its own timeout of seconds.
      await clock.advance(ms, ms < MIN_LONG_MS ? 0 : ms * LONG_LATE_SHARE);
      await passJobTime(db, ms);
      await settle();
    },
    settle,
    makeOrganization,
    async close({ checked } = {}) {
      const errors = checked === false ? [] : await checkBooks(db);
      await gateway.close();
      if (databaseUrl !== undefined) await db.close();
      await rm(dataDir, { recursive: true, force: true });
      expect(errors).toEqual([]);
    },
  };
}

/** The same database; `nextEnd` resolves when a job has ended or was put back through it. */
function watchJobs(db: Database): { readonly db: Database; nextEnd(): Promise<void> } {
  let waiting: (() => void)[] = [];
  return {
    nextEnd: () => new Promise((resolve) => void waiting.push(resolve)),
    db: {
      ...db,
      async query(text, values, options) {
        const result = await db.query(text, values, options);
        if (text === COMPLETE || text === PUT_BACK || text === RETRY) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
        return result;
      },
    },
  };
}

/** Instances on one database must have the same values. */
export const sharedSecrets = {
  AUTH_SECRET: 'signs sign-ins of tests and nothing else',
  MASTER_KEY: 'seals secrets of tests and nothing else',
};
