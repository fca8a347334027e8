import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { freePort } from '../support/child-server';
import { runPostgres } from '../support/run-postgres';
import { makeBegunDataDir } from '../support/product';
import { projectRoot, SHORT_LIVED } from '../support/project';
import { isFullRun, leftToGate } from '../support/proof-runs';

// How the process starts and ends for an operator: the built product, its exit code and its output.

/** Empty, unless a test replaces it. */
let dataDir: string;
const running = new Set<{ kill(): void }>();
beforeAll(async () => {
  if (!isBuilt()) await buildAll();
}, 300_000);
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'patchbay-start-'));
});
afterEach(() => {
  for (const child of running) child.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Replaces the data folder with that of a product that was started before: a first start takes seconds. */
async function useBegunDataDir(): Promise<void> {
  rmSync(dataDir, { recursive: true });
  dataDir = await makeBegunDataDir();
}

async function readMetrics(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** Starts a command of the product in a process group of its own, so that no process of it survives the test. */
function start(command: readonly [string, ...string[]], env: Readonly<Record<string, string>>) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: projectRoot,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += String(chunk)));
  const entry = {
    kill() {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // All of the group have ended.
      }
    },
  };
  running.add(entry);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    output,
    exited,
    ready: () =>
      vi.waitFor(() => expect(output.stdout).toContain('Patchbay is ready'), { timeout: 60_000, interval: 50 }),
  };
}

const server = ['node', ...SHORT_LIVED, 'dist/main.cjs'] as const;

/** A port that another server listens on. */
async function takenPort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // Safe: a listening TCP server has an address with a port.
  return { port: (listener.address() as AddressInfo).port, free: () => listener.close() };
}

describe('a start', () => {
  it('right after a kill succeeds at once', { timeout: 120_000 }, async () => {
    const PORT = String(await freePort());
    await useBegunDataDir();
    const first = start(server, { PORT });
    await first.ready();
    // The test does not wait for the end of the first process: it may be a zombie, or still ending.
    first.child.kill('SIGKILL');
    const second = start(server, { PORT });
    await second.ready();
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  });

  it('on a port that is in use ends with one message', { timeout: 120_000 }, async () => {
    const { port, free } = await takenPort();
    await useBegunDataDir();
    const process = start(server, { PORT: String(port) });
    expect(await process.exited).toBe(1);
    expect(process.output.stderr).toBe(
      `Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or set PORT to a free port.\n`,
    );
    // The directory is free again, too.
    expect(readdirSync(dataDir)).not.toContain('database.lock');
    free();
  });

  it('on an address of another machine ends with one message', { timeout: 120_000 }, async () => {
    await useBegunDataDir();
    const process = start(server, { HOST: '203.0.113.7', PORT: String(await freePort()) });
    expect(await process.exited).toBe(1);
    expect(process.output.stderr).toBe(
      'HOST 203.0.113.7 is not an address of this machine. Use 127.0.0.1, 0.0.0.0 or one of its own addresses.\n',
    );
  });

  it('with settings that cannot work ends with one message that lists them', async () => {
    const process = start(server, { MEDIA_STORE: '/etc/passwd', KLING_API_KEY: 'key', KLING_BASE_URL: 'foo' });
    expect(await process.exited).toBe(1);
    expect(process.output.stderr).toBe(
      'The configuration has 2 errors:\n' +
        '  - MEDIA_STORE must be a directory that this user can write to; /etc/passwd is a file.\n' +
        '  - KLING_BASE_URL must be an http or https URL, such as https://api-singapore.klingai.com.\n',
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it(
    'prints no secret if the output is not a terminal, and closes DATA_DIR to other users',
    { timeout: 120_000 },
    async () => {
      const first = start(server, { PORT: String(await freePort()) });
      await first.ready();
      const file = path.join(dataDir, 'first-run.json');
      const { owner, keys, webhook_secret } = JSON.parse(readFileSync(file, 'utf8')) as {
        owner: { password: string };
        keys: { test: string; live: string };
        webhook_secret: string;
      };
      for (const secret of [owner.password, keys.test, keys.live, webhook_secret])
        expect(first.output.stdout + first.output.stderr).not.toContain(secret);
      expect(first.output.stdout).toContain(file);
      for (const folder of ['.', 'database', 'providers'])
        expect(statSync(path.join(dataDir, folder)).mode & 0o077, folder).toBe(0);
      first.child.kill('SIGTERM');
      expect(await first.exited).toBe(0);
    },
  );
});

describe('npm start', () => {
  it('stops the server on SIGTERM, and ends when the server has ended', { timeout: 120_000 }, async () => {
    const port = await freePort();
    await useBegunDataDir();
    const metricsPort = await freePort();
    const npm = start(['npm', 'start'], { PORT: String(port), METRICS_PORT: String(metricsPort) });
    await npm.ready();
    expect(await readMetrics(metricsPort)).toContain('\npatchbay_ready 1\n');
    npm.child.kill('SIGTERM');
    expect(await npm.exited).toBe(0);
    expect(readdirSync(dataDir)).not.toContain('database.lock');
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
    await expect(readMetrics(metricsPort)).rejects.toThrow();
  });

  it('whose METRICS_PORT is in use says so and ends', async () => {
    await useBegunDataDir();
    const { port, free } = await takenPort();
    const failed = start(server, { PORT: String(await freePort()), METRICS_PORT: String(port) });
    expect(await failed.exited).toBe(1);
    expect(failed.output.stderr).toBe(
      `Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or set METRICS_PORT to a free port.\n`,
    );
    free();
  });
});

describe('several processes', () => {
  const postgres = runPostgres();
  afterAll(() => postgres?.close());
  const secrets = { AUTH_SECRET: randomBytes(32).toString('base64'), MASTER_KEY: randomBytes(32).toString('base64') };

  const inGate = { timeout: 120_000, ...leftToGate(!isFullRun()) };

  it('on a port that is in use end with one message', inGate, async ({ skip }) => {
    if (!postgres) return skip();
    const { port, free } = await takenPort();
    const primary = start(server, {
      ...secrets,
      WEB_CONCURRENCY: '2',
      PORT: String(port),
      DATABASE_URL: await postgres.createDatabase(),
    });
    expect(await primary.exited).toBe(1);
    expect(primary.output.stderr).toBe(
      `Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or set PORT to a free port.\n`,
    );
    free();
  });

  it('that end right after their start are given up after three in a row', { timeout: 120_000 }, async () => {
    const unusedPort = await freePort();
    const primary = start(server, {
      ...secrets,
      WEB_CONCURRENCY: '2',
      PORT: String(await freePort()),
      DATABASE_URL: `postgres://nobody@127.0.0.1:${unusedPort}/nothing`,
    });
    expect(await primary.exited).toBe(1);
    expect(primary.output.stderr).toContain(
      '3 processes in a row ended within 10 seconds of their start; Patchbay stops. The reason is printed above.\n',
    );
    expect(primary.output.stderr.match(/another is started/g)).toHaveLength(2);
    // The second process may say it too before it is stopped.
    const reasons = primary.output.stderr.match(/^The database does not answer, .* Check DATABASE_URL/gm) ?? [];
    expect([3, 4]).toContain(reasons.length);
  });

  it(
    'are replaced one by one when they die later, report metrics together, and end on SIGTERM',
    inGate,
    async ({ skip }) => {
      if (!postgres) return skip();
      const metricsPort = await freePort();
      const ready = async () =>
        [...(await readMetrics(metricsPort)).matchAll(/^patchbay_ready\{worker="(\d)"\} 1$/gm)]
          .map(([, id]) => Number(id))
          .toSorted((one, other) => one - other);
      const primary = start(server, {
        ...secrets,
        WEB_CONCURRENCY: '2',
        METRICS_PORT: String(metricsPort),
        PORT: String(await freePort()),
        DATABASE_URL: await postgres.createDatabase(),
      });
      await expect.poll(ready, { timeout: 60_000 }).toEqual([1, 2]);
      const [worker] = readFileSync(`/proc/${primary.child.pid}/task/${primary.child.pid}/children`, 'utf8')
        .trim()
        .split(' ');
      process.kill(Number(worker), 'SIGKILL');
      await expect.poll(ready, { timeout: 60_000 }).toEqual([2, 3]);
      expect(primary.output.stderr).toContain(`Process ${worker} ended; another is started.`);
      // What the operator reads is printed once, and not by each process.
      expect(primary.output.stdout.match(/Patchbay is ready/g)).toHaveLength(1);
      primary.child.kill('SIGTERM');
      expect(await primary.exited).toBe(0);
    },
  );
});
