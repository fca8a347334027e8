import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startChildServer, type ChildServer } from './child-server';
import { projectRoot } from './database';

// Runs the code samples of a page as a developer does: copied unchanged, saved under the name that the page shows, and
// run.

export interface PageCode {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

export interface Ran {
  readonly status: number;
  readonly output: string;
}

/** Every sample of a page's code, from all tabs. */
export async function readPageCode(page: Page): Promise<PageCode[]> {
  const samples: PageCode[] = [];
  // Code that is loaded on a click arrives a moment later.
  await page.getByRole('tab').first().waitFor();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    const panel = page.locator(`[aria-labelledby="${await tab.getAttribute('id')}"] [data-code]`);
    await panel.waitFor();
    samples.push({
      language: (await panel.getAttribute('data-code')) ?? '',
      file: (await panel.getAttribute('data-file')) ?? '',
      text: (await panel.textContent()) ?? '',
    });
  }
  return samples;
}

/** A directory in which code can import the packages of this project; removed by `dispose`. */
export async function makeCodeDirectory(): Promise<{ readonly directory: string; dispose(): Promise<void> }> {
  const around = await mkdtemp(path.join(tmpdir(), 'patchbay-code-'));
  await symlink(path.join(projectRoot, 'node_modules'), path.join(around, 'node_modules'));
  // Below it, so that a test can install a package of its own next to those of the project.
  const directory = path.join(around, 'code');
  await mkdir(directory);
  return { directory, dispose: () => rm(around, { recursive: true, force: true }) };
}

/** Saves the code and runs it with the page's command, with the key in its environment. */
export async function runPageCode(
  code: PageCode,
  directory: string,
  env: Readonly<Record<string, string>>,
  timeoutMs = 60_000,
): Promise<Ran> {
  const file = path.join(directory, code.file);
  await writeFile(file, code.text);
  const [command, ...args] = commandOf(code, file);
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      // A page may print the whole catalog, which is larger than the default of 1 MiB.
      { cwd: directory, env: { ...process.env, HOME: directory, ...env }, timeout: timeoutMs, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        // Safe: for a process that ended, `code` is its exit status; a killed one has none.
        resolve({ status: error ? ((error.code as number | undefined) ?? 1) : 0, output: stdout + stderr });
      },
    );
  });
}

/** Saves code that is a server and runs it until `stop`; resolves when it has printed `ready`. */
export async function servePageCode(
  code: PageCode,
  directory: string,
  env: Readonly<Record<string, string>>,
  ready: string,
): Promise<ChildServer> {
  const file = path.join(directory, code.file);
  await writeFile(file, code.text);
  return startChildServer(commandOf(code, file), {
    ready,
    signals: ['TERM'],
    cwd: directory,
    env: { ...process.env, HOME: directory, ...env },
  });
}

function commandOf({ file }: PageCode, saved: string): readonly [string, ...string[]] {
  if (file.endsWith('.sh')) return ['bash', '-e', saved];
  if (file.endsWith('.py')) return ['python3', saved];
  return [process.execPath, path.join(projectRoot, 'node_modules/tsx/dist/cli.mjs'), saved];
}

/** Type-checks the TypeScript samples in strict mode. */
export async function checkTypes(samples: readonly PageCode[], directory: string): Promise<string> {
  const files: string[] = [];
  for (const [index, sample] of samples.entries()) {
    if (!sample.file.endsWith('.mts')) continue;
    const file = path.join(directory, `${index}-${sample.file}`);
    await writeFile(file, sample.text);
    files.push(file);
  }
  const args = [
    path.join(projectRoot, 'node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--types',
    'node',
    '--typeRoots',
    path.join(projectRoot, 'node_modules/@types'),
    ...files,
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: directory, timeout: 120_000 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
