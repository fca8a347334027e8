import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

// Servers under test are processes of their own, bundled as the product is: compiled on the fly, every function would be named
// anew, which the product does not pay for. Each gets the first core, everything else the other.

/** Of the machine: once pinned, a process is told of one. */
export const cores = availableParallelism();
const END_MS = 5_000;

/** A server that a scenario asks. */
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

/** Starts a file of `servers` and waits until it says its port. `bundled`: as the product is built. */
export async function start(
  file: string,
  options: { args?: readonly string[]; env?: Readonly<Record<string, string>>; bundled?: boolean } = {},
): Promise<Started> {
  const { args = [], env = {}, bundled = false } = options;
  const child = fork(bundled ? bundle(file) : path.join('tests/bench/servers', file), args, {
    execArgv: bundled ? [] : ['--import', 'tsx'],
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

function bundle(file: string): string {
  const outfile = path.resolve('dist/bench', file.replace(/\.ts$/, '.cjs'));
  buildSync({
    entryPoints: [path.join('tests/bench/servers', file)],
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

/** Where it cannot be done, all share all. */
export function pin(pid: number | undefined, core: 0 | 1): void {
  if (pid === undefined || cores !== 2) return;
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
  } catch {
    // Not on this machine.
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
