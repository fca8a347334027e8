import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/project';
import { docsText } from './pages';

// Follows docs/contributing/add-a-provider.md and add-a-model.md in a copy of the project, as a reader does: creates
// the files, makes the changes that they show, and runs the commands that they name.

const COPIED = ['app', 'docs', 'drizzle', 'lib', 'server', 'tests', '.oxlintrc.json', 'package.json', 'tsconfig.json'];
const RUN_TIMEOUT_MS = 180_000;

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'patchbay-guide-'));
  for (const name of COPIED) await cp(path.join(projectRoot, name), path.join(copy, name), { recursive: true });
  await symlink(path.join(projectRoot, 'node_modules'), path.join(copy, 'node_modules'));
  for (const page of ['add-a-provider', 'add-a-model']) await follow(docsText(`docs/contributing/${page}.md`));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

describe('the guides to a provider and a model', () => {
  it('show files that pass the type check', async () => {
    const config = {
      extends: './tsconfig.json',
      compilerOptions: { noEmit: true, incremental: false, plugins: [] },
      files: ['lib/providers/registry.ts', 'lib/catalog/models.ts', 'tests/providers/orbit/messages.test.ts'],
      include: [],
    };
    await writeFile(path.join(copy, 'tsconfig.guide.json'), JSON.stringify(config));
    expect(await run('typescript/bin/tsc', ['-p', 'tsconfig.guide.json'])).toEqual({ code: 0, output: '' });
  });

  it('lead to a provider that passes its contract suite, and to a catalog without errors', async () => {
    // A configuration of its own, because the tests that the guides name need no database.
    await writeFile(
      path.join(copy, 'vitest.config.mts'),
      "export default { test: { include: ['tests/**/*.test.ts'], isolate: false, maxWorkers: 1 } };",
    );
    const files = ['tests/providers/orbit', 'tests/architecture.test.ts', 'tests/lib/catalog'];
    expect(docsText('docs/contributing/add-a-provider.md')).toContain(`npx vitest run ${files.join(' ')} tests/docs`);
    const { code, output } = await run('vitest/vitest.mjs', ['run', ...files]);
    expect(code, output).toBe(0);
    expect(output).toContain('tests/providers/orbit/messages.test.ts');
  });

  it('lead to documented variables', async () => {
    expect(await run('tsx/dist/cli.mjs', ['server/write-config-docs.ts'])).toMatchObject({ code: 0 });
    expect(await readFile(path.join(copy, '.env.example'), 'utf8')).toContain('#ORBIT_API_KEY=\n');
  });
});

/** Creates each file that a page shows in full, and makes each change that it shows as a difference. */
async function follow(page: string): Promise<void> {
  let file = '';
  let created = 0;
  for (const [, named, language, code = ''] of page.matchAll(
    /`((?:lib|tests)\/[\w./-]+\.ts)`|^```(\w+)\n([^]*?)^```$/gm,
  )) {
    if (named !== undefined) file = named;
    if (language === 'ts') {
      await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
      await writeFile(path.join(copy, file), code);
      created += 1;
    }
    if (language === 'diff') {
      const text = await readFile(path.join(copy, file), 'utf8');
      await writeFile(path.join(copy, file), applyDifference(text, code, file));
    }
  }
  if (created === 0) throw new Error('The page creates no file.');
}

/** Replaces the lines that a diff removes by those that it adds. */
function applyDifference(text: string, difference: string, file: string): string {
  const lines = difference.trimEnd().split('\n');
  const side = (mark: string) =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const before = side('-');
  if (text.split(before).length !== 2)
    throw new Error(`${file} has not exactly one place with these lines:\n${before}`);
  return text.replace(before, () => side('+'));
}

function run(program: string, args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(projectRoot, 'node_modules', program), ...args],
      { cwd: copy, timeout: RUN_TIMEOUT_MS, env: { ...process.env, VITEST: '', NO_COLOR: '1' } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}
