import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../support/postgres';
import { messageRequest, runLoad } from './load';
import { WARM_UP_MS } from './measure';
import {
  pinToCore,
  startProcess,
  stopProcess,
  type BenchServer,
  type ServerPair,
  type StartOptions,
} from './processes';

// The processes that the scenarios use: a database, an upstream, and servers that start when a scenario first needs
// them.

export interface Harness {
  readonly database: 'Postgres' | 'the embedded database';
  readonly upstreamUrl: string;
  /** The raw proxy and the gateway, warmed up. All scenarios share them. */
  proxyAndGateway(): Promise<ServerPair>;
  /** The environment of a gateway with a new database of its own. */
  gatewayEnv(): Promise<Readonly<Record<string, string>>>;
  /** Starts a server that stops with the scenario. By default it runs on the core of the servers under test. */
  startServer(name: string, file: string, options?: ServerOptions): Promise<BenchServer>;
}

type ServerOptions = StartOptions & { readonly core?: 0 | 1 };

export interface OpenHarness extends Harness {
  /** Stops the servers that the scenario started. */
  endScenario(): Promise<void>;
  close(): Promise<void>;
}

export async function openHarness(): Promise<OpenHarness> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'patchbay-bench-'));
  // Before the database and the upstream start, because they inherit the core.
  pinToCore(process.pid, 1);
  const postgres = await startPostgres();
  const upstream = await startProcess('upstream.ts');
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const sharedChildren: ChildProcess[] = [upstream.child];
  let scenarioChildren: ChildProcess[] = [];
  let gatewayCount = 0;
  let sharedPair: Promise<ServerPair> | undefined;

  async function startServer(
    children: ChildProcess[],
    name: string,
    file: string,
    { core = 0, ...options }: ServerOptions = {},
  ): Promise<BenchServer> {
    const { child, port, key } = await startProcess(file, options);
    children.push(child);
    pinToCore(child.pid, core);
    return {
      name,
      child,
      baseUrl: `http://127.0.0.1:${port}`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    };
  }

  async function gatewayEnv(): Promise<Record<string, string>> {
    gatewayCount += 1;
    return {
      ...(postgres && {
        DATABASE_URL: await postgres.createDatabase(),
        AUTH_SECRET: 'b'.repeat(64),
        MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        BOOTSTRAP_OWNER_EMAIL: 'bench@example.com',
        BOOTSTRAP_OWNER_PASSWORD: 'a long password of the bench',
      }),
      NODE_ENV: 'production',
      DATA_DIR: path.join(dataDir, String(gatewayCount)),
      LOG_LEVEL: 'info',
      // Counted and never reached: one organisation sends all of the load.
      ORGANIZATION_LIMITS:
        'requests_per_second=1000000,submits_per_minute=10000000,running_videos=1000000,open_streams=100000,body_mebibytes=off',
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: upstreamUrl,
    };
  }

  async function startPair(): Promise<ServerPair> {
    const pair = [
      await startServer(sharedChildren, 'raw proxy', 'raw-proxy.ts', { args: [upstreamUrl] }),
      await startServer(sharedChildren, 'gateway', 'gateway.ts', { env: await gatewayEnv(), bundled: true }),
    ] as const;
    for (const server of pair) await runLoad(server, messageRequest('Hello'), 16, WARM_UP_MS);
    return pair;
  }

  async function endScenario(): Promise<void> {
    await Promise.all(scenarioChildren.map(stopProcess));
    scenarioChildren = [];
  }

  return {
    database: postgres ? 'Postgres' : 'the embedded database',
    upstreamUrl,
    proxyAndGateway: () => (sharedPair ??= startPair()),
    gatewayEnv,
    startServer: (name, file, options) => startServer(scenarioChildren, name, file, options),
    endScenario,
    async close() {
      await endScenario();
      await Promise.all(sharedChildren.map(stopProcess));
      await postgres?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
