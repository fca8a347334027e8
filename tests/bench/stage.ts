import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../support/postgres';
import { load, message } from './load';
import { WARM_UP_MS } from './measure';
import { end, pin, start, type StartOptions, type Target } from './processes';

// The processes of the scenarios: a database, an upstream, and servers that start when a scenario first needs them.

export interface Stage {
  readonly database: 'Postgres' | 'the embedded database';
  readonly upstreamUrl: string;
  /** The raw proxy and the gateway, warm; the same for every scenario. */
  pair(): Promise<readonly [Target, Target]>;
  /** The environment of a gateway on a new database of its own. */
  gatewayEnv(): Promise<Readonly<Record<string, string>>>;
  /** Starts a server that ends with the scenario, by default on the core of the servers under test. */
  start(name: string, file: string, options?: StageOptions): Promise<Target>;
}

type StageOptions = StartOptions & { readonly core?: 0 | 1 };

export interface OpenStage extends Stage {
  endScenario(): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(): Promise<OpenStage> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'patchbay-bench-'));
  // First, because the database and the upstream inherit it.
  pin(process.pid, 1);
  const postgres = await startPostgres();
  const upstream = await start('upstream.ts');
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const lasting: ChildProcess[] = [upstream.child];
  let ofScenario: ChildProcess[] = [];
  let gateways = 0;
  let pairing: Promise<readonly [Target, Target]> | undefined;

  async function startTarget(
    until: ChildProcess[],
    name: string,
    file: string,
    { core = 0, ...options }: StageOptions = {},
  ): Promise<Target> {
    const { child, port, key } = await start(file, options);
    until.push(child);
    pin(child.pid, core);
    return {
      name,
      child,
      baseUrl: `http://127.0.0.1:${port}`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    };
  }

  async function gatewayEnv(): Promise<Record<string, string>> {
    gateways += 1;
    return {
      ...(postgres && {
        DATABASE_URL: await postgres.createDatabase(),
        AUTH_SECRET: 'b'.repeat(64),
        MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        BOOTSTRAP_OWNER_EMAIL: 'bench@example.com',
        BOOTSTRAP_OWNER_PASSWORD: 'a long password of the bench',
      }),
      NODE_ENV: 'production',
      DATA_DIR: path.join(dataDir, String(gateways)),
      LOG_LEVEL: 'info',
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: upstreamUrl,
    };
  }

  async function startPair(): Promise<readonly [Target, Target]> {
    const pair = [
      await startTarget(lasting, 'raw proxy', 'raw-proxy.ts', { args: [upstreamUrl] }),
      await startTarget(lasting, 'gateway', 'gateway.ts', { env: await gatewayEnv(), bundled: true }),
    ] as const;
    for (const target of pair) await load(target, message('Hello'), 16, WARM_UP_MS);
    return pair;
  }

  async function endScenario(): Promise<void> {
    await Promise.all(ofScenario.map(end));
    ofScenario = [];
  }

  return {
    database: postgres ? 'Postgres' : 'the embedded database',
    upstreamUrl,
    pair: () => (pairing ??= startPair()),
    gatewayEnv,
    start: (name, file, options) => startTarget(ofScenario, name, file, options),
    endScenario,
    async close() {
      await endScenario();
      await Promise.all(lasting.map(end));
      await postgres?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
