import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import manifest from '../../package.json';

// Servers under test are processes of their own, bundled as the product is: a compiler at run time adds code that the
// product does not have. They get the first core, everything else the other.

/** Read before this process is pinned; a pinned process sees one core. */
export const cores = availableParallelism();
const END_MS = 5_000;

/** A server under test. */
export interface Target {
  readonly name: string;
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly key?: string;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** As the product is built and started. */
  readonly bundled?: boolean;
  /** With `bundled`: a checkout other than this one. */
  readonly root?: string;
  /** With `bundled`: the arguments of Node instead of the product's. */
  readonly nodeArgs?: readonly string[];
}

/** The arguments that `npm start` gives to Node. */
export const productArgs: readonly string[] = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Starts a file of `servers` and waits until it reports its port. */
export async function start(file: string, options: StartOptions = {}): Promise<Started> {
  const { args = [], env = {}, bundled = false, root = '.', nodeArgs = productArgs } = options;
  const child = fork(bundled ? bundle(root, file) : path.join('tests/bench/servers', file), args, {
    execArgv: bundled ? [...nodeArgs] : ['--import', 'tsx'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  const message = told[0] as { port: number; key?: string } | number | null;
  if (typeof message !== 'object' || message === null) throw new Error(`${file} ended before it was ready.`);
  return { child, ...message };
}

/** Ends a process of `start`, by force if it takes long. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(force);
}

function bundle(root: string, file: string): string {
  const outfile = path.resolve(root, 'dist/bench', file.replace(/\.ts$/, '.cjs'));
  buildSync({
    entryPoints: [path.resolve(root, 'tests/bench/servers', file)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

/** Keeps a process on one of two cores; does nothing on other machines. */
export function pin(pid: number | undefined, core: 0 | 1): void {
  if (pid === undefined || cores !== 2) return;
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
  } catch {
    // There is no taskset; the processes share the cores.
  }
}

/** Seconds of processor time that a process has used. */
export function cpuSeconds(child: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

export function residentMegabytes(child: ChildProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
