import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram, freePort, skippedBecause, startChildServer } from './child-server';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a Redis for one test file. If there is none on this machine, prints why and returns undefined; in CI it
 * throws.
 */
export async function startRedis(): Promise<TestRedis | undefined> {
  const folder = findProgram('redis-server');
  if (folder === undefined) return skippedBecause('tests against a real Redis', 'no redis-server was found in PATH');
  const home = await mkdtemp(path.join(tmpdir(), 'patchbay-redis-'));
  const port = await freePort();
  const command = [
    path.join(folder, 'redis-server'),
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    home,
  ];
  const run = () => startChildServer(command, { cwd: home, ready: 'Ready to accept connections' });
  let server: Awaited<ReturnType<typeof run>> | undefined = await run();
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    async start() {
      server ??= await run();
    },
    async close() {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
