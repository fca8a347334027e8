import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { bundleServer } from './bundle-server';
import { freePort } from './child-server';
import { projectRoot } from './project';

// A built copy of the project in its own folder, for documented commands that run in the project's root and leave files
// there (`.env`, `.data`).

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Checkout {
  /** The port in the environment of every command, in place of 3000. */
  readonly port: number;
  /**
   * Runs an operator's command as `npm run --silent <name> -- <text>` does, but bundled: npm and the compilation of the
   * sources take three seconds of processor time each time.
   */
  command(name: 'credits' | 'providers', text: string, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The shell blocks in a section of docs/operating.md, with this checkout's port. */
  operating(section: string): Promise<readonly string[]>;
  /** Runs a script with `sh -e`. */
  run(script: string, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs a script that starts the server; resolves when it is ready. */
  start(script: string): Promise<{ stop(): Promise<void> }>;
  remove(): Promise<void>;
}

const START_MS = 60_000;
const COPIED = [
  'package.json',
  'docs',
  'next.config.mjs',
  'tsconfig.json',
  'postcss.config.mjs',
  'instrumentation.ts',
  'proxy.ts',
  'app',
  'dist',
  'drizzle',
  'lib',
  'public',
  'server',
  '.next',
];
const NOT_COPIED = [path.join('.next', 'cache'), path.join('.next', 'dev')];

/** `programs`: folders to put before those of PATH. */
export async function makeCheckout(programs: readonly string[] = []): Promise<Checkout> {
  if (!isBuilt()) await buildAll();
  const root = await mkdtemp(path.join(tmpdir(), 'patchbay-checkout-'));
  // With timestamps: a copy that is newer than its build would be built again.
  const filter = (source: string) => !NOT_COPIED.some((name) => source.startsWith(path.join(projectRoot, name)));
  for (const name of COPIED)
    await cp(path.join(projectRoot, name), path.join(root, name), {
      recursive: true,
      preserveTimestamps: true,
      filter,
    });
  await symlink(path.join(projectRoot, 'node_modules'), path.join(root, 'node_modules'));
  const port = await freePort();

  function shell(script: string, env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn('sh', ['-ec', script], {
      cwd: root,
      env: {
        NODE_ENV: 'production',
        PATH: [...programs, process.env.PATH].join(path.delimiter),
        HOME: root,
        PORT: String(port),
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In its own process group: npm ends on a signal without waiting for the server that it started.
      detached: true,
    });
  }

  const signal = (child: ChildProcess, name: 'SIGTERM' | 'SIGKILL') => {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  };

  async function run(script: string, env?: Readonly<Record<string, string>>): Promise<Ended> {
    const child = shell(script, env);
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => (said[name] += String(chunk)));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...said };
  }

  return {
    port,
    command: (name, text, env) => run(`exec node "${bundleServer(`server/${name}.ts`)}" ${text}`, env),
    async operating(section) {
      const text = await readFile(path.join(root, 'docs/operating.md'), 'utf8');
      const [, from] = text.split(`\n## ${section}\n`);
      if (from === undefined) throw new Error(`docs/operating.md has no section "${section}".`);
      const [body = ''] = from.split(/\n##+ /);
      return [...body.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
        block.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`),
      );
    },
    run,
    async start(script) {
      const child = shell(script);
      // Waits for everything that can write here to end, not only for npm.
      const ended = once(child, 'close');
      let said = '';
      const ready = new Promise<'ready'>((resolve) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream?.on('data', (chunk: Buffer) => {
            said += String(chunk);
            if (said.includes('Patchbay is ready')) resolve('ready');
          });
        }
      });
      const late = new Promise<'late'>((resolve) => setTimeout(resolve, START_MS, 'late').unref());
      if ((await Promise.race([ready, ended, late])) !== 'ready') {
        signal(child, 'SIGKILL');
        throw new Error(`The server did not start. It said:\n${said}`);
      }
      return {
        async stop() {
          signal(child, 'SIGTERM');
          await ended;
        },
      };
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
