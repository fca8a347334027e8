import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { bundleServer } from '../support/bundle-server';
import { PRODUCT_ARGS } from '../support/project';

// Each server under test is a process of its own, bundled as the product is: a compiler at run time adds code that the
// product does not have. The servers under test run on the first core, everything else on the second.

/** Read before this process is pinned, because a pinned process sees one core. */
export const coreCount = availableParallelism();
const STOP_TIMEOUT_MS = 5_000;

/** A running server that accepts requests. */
export interface BenchServer {
  readonly name: string;
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerPair = readonly [baseline: BenchServer, gateway: BenchServer];

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly port: number;
  /** The API key, if the server is a gateway. */
  readonly key?: string;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Bundles the file and runs it with Node as the product is built and started. */
  readonly bundled?: boolean;
  /** With `bundled`: a checkout other than this one. */
  readonly root?: string;
  /** With `bundled`: the arguments of Node instead of the product's. */
  readonly nodeArgs?: readonly string[];
}

/** Starts a file of `servers` and waits until it reports its port. Rejects if the process exits before that. */
export async function startProcess(file: string, options: StartOptions = {}): Promise<StartedProcess> {
  const { args = [], env = {}, bundled = false, root, nodeArgs = PRODUCT_ARGS } = options;
  const source = path.join('tests/bench/servers', file);
  const child = fork(bundled ? bundleServer(source, root) : source, args, {
    execArgv: bundled ? [...nodeArgs] : ['--import', 'tsx'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A checkout reads its own migrations.
    ...(root !== undefined && { cwd: root }),
  });
  const event = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  // Safe: the report of a server, or an exit code.
  const message = event[0] as { port: number; key?: string } | number | null;
  if (typeof message !== 'object' || message === null) throw new Error(`${file} exited before it was ready.`);
  return { child, ...message };
}

/** Stops a process with SIGTERM, and with SIGKILL if it still runs after five seconds. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killTimer);
}

/** Pins a process to one of two cores. Does nothing on machines with another number of cores. */
export function pinToCore(pid: number | undefined, core: 0 | 1): void {
  if (pid === undefined || coreCount !== 2) return;
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
  } catch {
    // Without taskset, all processes share the cores.
  }
}

/** CPU time that a process has used, user and system. NaN where there is no `/proc`. */
export const cpuSeconds = ({ pid }: ChildProcess) => readCpuSeconds(`/proc/${pid}/stat`);

/** CPU time that the main thread of a process has used, without its workers. NaN where there is no `/proc`. */
export const mainThreadCpuSeconds = ({ pid }: ChildProcess) => readCpuSeconds(`/proc/${pid}/task/${pid}/stat`);

function readCpuSeconds(file: string): number {
  try {
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Resident memory of a process. NaN where there is no `/proc`. */
export function residentMegabytes(child: ChildProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
