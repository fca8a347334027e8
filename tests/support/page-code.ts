import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from './database';

// The code of a page as a developer uses it: copied as it stands, saved under the name that the page says, and run.

export interface PageCode {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

export interface Ran {
  readonly status: number;
  readonly output: string;
}

/** Every sample of a page's code, each tab opened in turn. */
export async function readPageCode(page: Page): Promise<PageCode[]> {
  const samples: PageCode[] = [];
  // Code that is asked for by a click arrives a moment later.
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

/** A directory in which code finds the packages of this project; removed by `dispose`. */
export async function makeCodeDirectory(): Promise<{ readonly directory: string; dispose(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-code-'));
  await symlink(path.join(projectRoot, 'node_modules'), path.join(directory, 'node_modules'));
  return { directory, dispose: () => rm(directory, { recursive: true, force: true }) };
}

/** Saves the code and runs it as the page says, with the key in its environment. */
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
      { cwd: directory, env: { ...process.env, HOME: directory, ...env }, timeout: timeoutMs },
      (error, stdout, stderr) => {
        // Safe: of a process that ended, `code` is its exit status; of one that was stopped there is none.
        resolve({ status: error ? ((error.code as number | undefined) ?? 1) : 0, output: stdout + stderr });
      },
    );
  });
}

function commandOf({ file }: PageCode, saved: string): readonly [string, ...string[]] {
  if (file.endsWith('.sh')) return ['bash', '-e', saved];
  if (file.endsWith('.py')) return ['python3', saved];
  return [process.execPath, path.join(projectRoot, 'node_modules/tsx/dist/cli.mjs'), saved];
}

/** Type-checks the TypeScript among the samples, as strictly as can be. */
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
