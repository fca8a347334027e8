import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FirstRun } from '../../lib/accounts/first-run-file';
import { bundleServer } from './bundle-server';
import { freePort } from './child-server';
import { makeBegunDataDir } from './product';
import { projectRoot, SHORT_LIVED } from './project';

// A gateway in a process that can be killed, on a data directory that is kept.

/** Named points in a video's life, in order, at which `crash-server.ts` can kill its process. */
export const videoPoints = [
  'before submit',
  'after submit',
  'before start',
  'before save of the receipt',
  'before save',
  'after save',
  'while rendering',
  'on check',
  'before terminal commit',
  'after terminal commit',
  'before webhook record',
  'after webhook record',
] as const;

export interface CrashGateway {
  readonly baseUrl: string;
  readonly dataDir: string;
  firstRun(): Promise<FirstRun>;
  /** Starts the process, which kills itself at `point`. Resolves when it listens, or when it died before that. */
  start(point?: string): Promise<void>;
  /** Resolves when the process has ended, with the signal that ended it. */
  ended(): Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Starts `crash-server.ts` in a process of its own. `listens` resolves when it listens, or when it killed itself before
 * that. `root` is another checkout of the project, of which it is; `nodeArgs` are arguments of Node.
 */
export function startCrashServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  {
    root = projectRoot,
    nodeArgs = SHORT_LIVED,
  }: { readonly root?: string; readonly nodeArgs?: readonly string[] } = {},
): { readonly child: ChildProcess; readonly listens: Promise<void> } {
  const child = spawn(process.execPath, [...nodeArgs, bundleServer('tests/support/crash-server.ts', root), ...args], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'warn', OUTBOUND_ALLOW: '127.0.0.0/8', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
  const listens = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (String(chunk).includes('ready\n')) resolve();
    });
    child.once('exit', (code, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error(`the process ended with ${code}: ${errors}`)),
    );
  });
  return { child, listens };
}

/** `stopMs`: how long a stop waits for running responses before it cuts them. */
export async function makeCrashGateway(
  env: Readonly<Record<string, string>> = {},
  { stopMs }: { readonly stopMs?: number } = {},
): Promise<CrashGateway> {
  const dataDir = await makeBegunDataDir();
  const port = await freePort();
  let child: ChildProcess | undefined;
  let gone: Promise<NodeJS.Signals | null> = Promise.resolve(null);

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    dataDir,
    async firstRun() {
      return JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
    },
    async start(point = 'none') {
      const started = startCrashServer([point, ...(stopMs === undefined ? [] : [String(stopMs)])], {
        DATA_DIR: dataDir,
        PORT: String(port),
        ...env,
      });
      child = started.child;
      gone = new Promise((resolve) => started.child.once('exit', (_code, signal) => resolve(signal)));
      await started.listens;
    },
    ended: () => gone,
    async kill() {
      child?.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child?.kill('SIGTERM');
      await gone;
    },
    async remove() {
      child?.kill('SIGKILL');
      await gone;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
