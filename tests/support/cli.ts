import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from './project';

// The command `patchbay`, as a user runs it: a process of its own, with a folder and a home of its own.

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cli {
  /** The folder in which the commands run. */
  readonly directory: string;
  run(args: readonly string[], options?: CliRunOptions): Promise<CliResult>;
  /** The same, while it runs. */
  start(args: readonly string[], options?: CliRunOptions): RunningCli;
  remove(): Promise<void>;
}

export interface CliRunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its standard input; nothing unless stated. */
  readonly stdin?: string | Buffer;
}

export interface RunningCli {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<CliResult>;
}

/** `env` is added to the environment of every command; nothing else of ours is in it. */
export async function makeCli(env: Readonly<Record<string, string>> = {}): Promise<Cli> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-cli-'));
  const own = { PATH: process.env.PATH ?? '', HOME: directory, ...env };

  function start(args: readonly string[], { env: more = {}, stdin = '' }: CliRunOptions = {}): RunningCli {
    const child = spawn(process.execPath, [path.join(projectRoot, 'server/patchbay.mjs'), ...args], {
      cwd: directory,
      env: { NODE_ENV: 'production', ...own, ...more },
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('latin1').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('latin1').on('data', (text: string) => (said.stderr += text));
    // A command that does not read it may end before.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
    return {
      child,
      stdout: () => utf8(said.stdout),
      stderr: () => utf8(said.stderr),
      ended: once(child, 'close').then(([code]) => ({
        code: code as number | null,
        stdout: utf8(said.stdout),
        stderr: utf8(said.stderr),
      })),
    };
  }

  return {
    directory,
    start,
    run: (args, options) => start(args, options).ended,
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
