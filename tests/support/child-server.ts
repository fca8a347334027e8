import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

// Starts servers of this machine (a Postgres, a Redis) for one test file.

export interface ChildServer {
  /** Kills it without a clean shutdown. */
  stop(): Promise<void>;
}

export interface ChildServerOptions {
  /** The output that shows that it accepts connections. */
  readonly ready: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
  /** Absent: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Absent: QUIT, with which Postgres stops at once, then TERM. */
  readonly signals?: readonly string[];
}

// Its input is a pipe from here: when this process ends, for any reason, the pipe ends and stops the server too. A
// shell makes its background processes ignore QUIT, which Postgres handles again for its immediate shutdown; others end
// on TERM.
const untilInputEnds = (signals: readonly string[]) =>
  `exec 3<&0; "$@" 2>&1 & server=$!; (read -r line <&3; ${signals.map((signal) => `kill -${signal} $server;`).join(' ')}) & wait $server`;

export async function startChildServer(
  command: readonly string[],
  { ready, signals = ['QUIT', 'TERM'], ...options }: ChildServerOptions,
): Promise<ChildServer> {
  const child: ChildProcess = spawn('sh', ['-c', untilInputEnds(signals), 'sh', ...command], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(ready)) resolve();
    });
    child.once('exit', () => reject(new Error(`${command[0]} did not start: ${said}`)));
  });
  return {
    async stop() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

/** The user that a process runs as; without ids, that of this process. */
export interface Account {
  uid?: number;
  gid?: number;
}

/** The user of this process, or another one if that is root. Undefined if there is no other one. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** The folder of a program: in PATH, or where Debian keeps versioned servers. */
export function findProgram(name: string, ...elsewhere: string[]): string | undefined {
  const versions = elsewhere.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .toSorted((a, b) => Number(b) - Number(a))
          .map((version) => path.join(folder, version, 'bin'))
      : [],
  );
  return [...(process.env.PATH ?? '').split(path.delimiter), ...versions].find((folder) =>
    existsSync(path.join(folder, name)),
  );
}

/** Prints why a suite is skipped. With `CI=true` it throws instead, so that the tests cannot silently be skipped. */
export function skippedBecause(suite: string, reason: string): undefined {
  if (process.env.CI === 'true') throw new Error(`In CI ${suite} must run, but ${reason}.`);
  console.log(`Skipped: ${suite}, because ${reason}.`);
  return undefined;
}

/**
 * Of the ports that Linux and macOS give to no outgoing connection: one of those could otherwise be taken before a server
 * listens at it, or while that server restarts, and a client that tries it again and again could connect to itself. Below
 * 10240 are ports that browsers refuse.
 */
const PORTS = { first: 10_240, last: 32_767 };

/** A port of 127.0.0.1 at which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    const listener = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      listener.once('error', () => resolve(false));
      listener.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    listener.close();
    await once(listener, 'close');
    return port;
  }
}
