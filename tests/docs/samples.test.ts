import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../server/build-client';
import { freePort } from '../support/child-server';
import { findUnsafe } from '../support/migration-rules';
import { projectRoot } from '../support/project';
import { checkTypes, makeCodeDirectory, runPageCode, type PageCode, type Ran } from '../support/page-code';
import { isFullRun, leftToGate } from '../support/proof-runs';
import { startProduct, type Product } from '../support/product';
import { codeBlocks, docsPages, docsText, type CodeBlock } from './pages';

// Every command and every program of the README and the docs, run as a reader does: page by page, in order, in one
// terminal, with the variables of docs/api.md. Only the URLs are those of this test.

const WEBHOOK_HOST = '127.0.0.1:4000';
const RUN_MS = 180_000;

let product: Product;
let folder: Awaited<ReturnType<typeof makeCodeDirectory>>;
let receiver: string;

beforeAll(async () => {
  folder = await makeCodeDirectory();
  await buildClient(path.join(folder.directory, 'node_modules/@patchbay/client'));
  const catalogFile = path.join(folder.directory, 'catalog.json');
  await writeFile(catalogFile, '{"models": []}');
  product = await startProduct('viewer', { OUTBOUND_ALLOW: '127.0.0.0/8', CATALOG_FILE: catalogFile });
  receiver = `127.0.0.1:${await freePort()}`;
  await mkdir(path.join(folder.directory, '.data'));
  await writeFile(path.join(folder.directory, '.data/first-run.json'), JSON.stringify(product.firstRun));
});
afterAll(async () => {
  await product?.stop();
  await folder?.dispose();
});

/** Commands that do not run here, by page: the first line of the block, and the reason. */
const notRunHere: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': { 'npm install': 'installs and starts what this test has running' },
  'docs/operating.md': {
    'createdb patchbay': 'run by tests/process/credits.test.ts',
    'npm start': 'run by tests/process/credits.test.ts',
    'export OPERATOR_TOKEN=$(node --env-file=.env -p process.env.OPERATOR_TOKEN)':
      'run by tests/process/credits.test.ts',
    'curl -s http://127.0.0.1:3000/v1/messages \\': 'run by tests/process/credits.test.ts',
    'npm run credits -- grant --amount 25.00 --reference top-up-1 --reason "Top-up"':
      'run by tests/process/credits.test.ts',
    'npm run limits -- set requests_per_second=200,open_streams=off': 'run by tests/process/credits.test.ts',
    'npm run providers': 'run by tests/process/credits.test.ts',
    'deploy/image.sh': 'needs Docker; run by .github/workflows/check.yml, and checked by tests/deploy',
    'docker exec patchbay node dist/credits.cjs list': 'needs Docker; run by tests/process/image.test.ts without it',
    'umask 077': 'needs Docker; run by .github/workflows/check.yml, and checked by tests/deploy',
    'cp deploy/kubernetes/secrets.example deploy/kubernetes/secrets.env': 'needs a cluster; checked by tests/deploy',
    'npm run build': 'run by tests/process/image.test.ts',
    'npx patchbay upgrade --check': 'run by tests/process/backup.test.ts',
    'npx patchbay backup --out backup-2026-11-25': 'run by tests/process/backup.test.ts',
    'npx patchbay restore backup-2026-11-25': 'run by tests/process/backup.test.ts',
    'npm ci --ignore-scripts': 'replaces the packages that this test runs with; run by .ci/run',
  },
  'docs/performance.md': { 'npm run bench': 'takes minutes and a quiet machine; its short form is run by .ci/run' },
  'docs/contributing/README.md': {
    'npm install': 'replaces the packages that this test runs with',
    'npm run check': 'takes minutes; its parts are run by .ci/run',
  },
  'docs/contributing/migrations.md': {
    'npm run db:generate -- --name <what-changes>': 'writes into this checkout; run by .ci/run',
  },
  'docs/contributing/testing.md': { 'npm test': 'is what runs this test' },
  'docs/contributing/add-a-provider.md': {
    'npx vitest run tests/providers/orbit tests/architecture.test.ts tests/lib/catalog tests/docs':
      'run by tests/docs/contributing.test.ts in a copy',
  },
  'docs/contributing/add-a-model.md': {
    'npx vitest run tests/lib/catalog tests/docs': 'run by tests/docs/contributing.test.ts in a copy',
  },
};
/** The codes of the errors that the samples of a page mean to show; those of other pages show none. */
const shownErrors: Readonly<Record<string, readonly string[]>> = {
  'docs/errors.md': ['unsupported_value'],
  'docs/migrating.md': ['model_deactivated'],
};
/** Programs that are a part of the guides. */
const guides = ['docs/contributing/add-a-provider.md', 'docs/contributing/add-a-model.md'];

const firstLine = (text: string) => text.split('\n')[0] ?? '';
const isRunHere = (page: string, { language, text }: CodeBlock) =>
  !(language === 'sh' && firstLine(text) in (notRunHere[page] ?? {}));

const localised = (text: string) =>
  text
    .replaceAll('127.0.0.1:3000', new URL(product.baseUrl).host)
    // npx finds the command in the folder of Patchbay only.
    .replaceAll('npx patchbay', `node "${path.join(projectRoot, 'server/patchbay.mjs')}"`)
    .replaceAll(WEBHOOK_HOST, receiver)
    .replaceAll('listen(4000', `listen(${receiver.split(':')[1]}`);
const variables = () => codeBlocks(docsText('docs/api.md'))[0]?.text ?? '';

/** The blocks of a page that run here; programs have the file name that the terminal commands use. */
function samplesOf(page: string): (CodeBlock & { readonly file: string })[] {
  return codeBlocks(docsText(page)).flatMap((block, at) =>
    isRunHere(page, block) ? [{ ...block, file: `${page.replaceAll('/', '-')}-${at}.mts` }] : [],
  );
}
const programsOf = (page: string): PageCode[] =>
  samplesOf(page).flatMap(({ language, text, file }) =>
    language === 'ts' ? [{ language: 'typescript', file, text: localised(text) }] : [],
  );

async function run(page: string, more = ''): Promise<Ran> {
  for (const program of programsOf(page)) await writeFile(path.join(folder.directory, program.file), program.text);
  const lines = samplesOf(page).map(({ language, text, file }) =>
    language === 'sh' ? text : language === 'ts' ? `${programCommand(file)}\n` : '',
  );
  const begin = page === 'docs/api.md' || page === 'README.md' ? [] : [variables()];
  const script = ['set -eo pipefail\n', ...begin, more, ...lines].join('');
  const ran = await runPageCode(
    { language: 'sh', file: `${page.replaceAll('/', '-')}.sh`, text: localised(script) },
    folder.directory,
    { PATCHBAY: '', PATCHBAY_API_KEY: '' },
    RUN_MS,
  );
  expect(errorsIn(ran.output), `errors in the output of ${page}`).toEqual(shownErrors[page] ?? []);
  return ran;
}

/**
 * The codes of the error bodies in an output; their text where they have no code. A body may stand behind another one on
 * its line: curl prints no newline. The `error` of a failed video is not the first field of its body.
 */
function errorsIn(output: string): string[] {
  const bodies = output.matchAll(/\{(?:"type":"error",)?"error":\{.*?\}\}?/g);
  return [...bodies].map(([body]) => /"code":"(\w+)"/.exec(body)?.[1] ?? body);
}

/** As readers run programs. In a short run they are compiled alone: tsx also compiles the packages that they import. */
function programCommand(file: string): string {
  const node = `"${process.execPath}"`;
  if (isFullRun()) return `${node} "${path.join(projectRoot, 'node_modules/tsx/dist/cli.mjs')}" ${file}`;
  const compiled = file.replace(/\.mts$/, '.mjs');
  buildSync({
    entryPoints: [path.join(folder.directory, file)],
    outfile: path.join(folder.directory, compiled),
    target: 'node20',
  });
  return `${node} ${compiled}`;
}

const fileOf = (name: string) => readFile(path.join(folder.directory, name));

const inGate = leftToGate(!isFullRun());

describe('the samples', () => {
  it('of the first page: repeat a submission, fail on purpose, read credits and health', async () => {
    const { status, output } = await run('docs/api.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    const ids = [...output.matchAll(/"id":"(video_\w+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(3);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
    expect(output).toContain('"object":"credits"');
    expect(output).toContain('"message":"OK"');
  });

  it('of videos: submit with every kind of media, poll, download, edit, list, cancel and delete', async () => {
    const { status, output } = await run('docs/videos.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output.match(/"object":"video","status":"queued"/g)?.length).toBeGreaterThanOrEqual(5);
    expect(output).toContain('"status":"completed"');
    expect(output).toContain('"code":"cancelled"');
    expect(output).toContain('"object":"video.deleted"');
    for (const name of ['boat.mp4', 'paper-boat.mp4'])
      expect((await fileOf(name)).subarray(4, 8).toString(), name).toBe('ftyp');
    expect((await stat(path.join(folder.directory, 'first-kilobyte.bin'))).size).toBe(1024);
  });

  it('of messages: answer, describe an image, stream, and count', async () => {
    const { status, output } = await run('docs/messages.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output.match(/"type":"message","role":"assistant"/g)?.length).toBeGreaterThanOrEqual(2);
    expect(output).toContain('event: message_stop');
    expect(output).toMatch(/\{"input_tokens":\d+\}/);
  });

  it('of speech: one program speaks, the other transcribes it', async () => {
    let heard = await run('docs/speech.md');
    // On a busy machine the first session after the start can end before the sandbox's recogniser is loaded.
    for (let more = 0; more < 2 && heard.status === 0 && heard.output === ''; more += 1)
      heard = await run('docs/speech.md');
    expect([heard.status, heard.output]).toEqual([0, expect.stringMatching(/boat|lake/i)]);
  });

  it('of the client: make a video, receive its webhook, speak and transcribe', async () => {
    const secret = `export WEBHOOK_SECRET=${product.firstRun.webhook_secret}\n`;
    const { status, output } = await run('docs/client.md', secret);
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output).toMatch(/video_\w+ queued\n(?:video_\w+ in_progress\n)*video_\w+ completed\n/);
    expect((await fileOf('client-boat.mp4')).subarray(4, 8).toString()).toBe('ftyp');
    expect(output).toMatch(/video\.completed video_\w+\n/);
    expect(output).toMatch(/boat|lake/i);
    expect(output).toMatch(/\d\.\d seconds/);
  });

  it('in Python run with the official packages, where they are installed, and are complete programs', () => {
    const programs = docsPages.flatMap(({ text }) => codeBlocks(text).filter(({ language }) => language === 'python'));
    expect(programs.length).toBeGreaterThanOrEqual(2);
    for (const { text } of programs) {
      const name = /^from (\w+) import/m.exec(text)?.[1] ?? '';
      const compiled = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: text });
      expect(compiled.stderr.toString()).toBe('');
      if (spawnSync('python3', ['-c', `import ${name}`]).status !== 0) {
        console.log(`The Python package ${name} is not installed: its sample is parsed and not run.`);
        continue;
      }
      const env = { ...process.env, PATCHBAY: product.baseUrl, PATCHBAY_API_KEY: product.firstRun.keys.test };
      const ran = spawnSync('python3', ['-c', text], { cwd: folder.directory, env });
      expect([ran.status, ran.stderr.toString()]).toEqual([0, '']);
    }
  });

  it('of the catalog: list and look up models', async () => {
    const { status, output } = await run('docs/catalog.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output).toContain('"id":"sandbox-t2v"');
    expect(output).toContain('"deactivated_at":"2026-09-24T00:00:00Z"');
    expect(output).toContain('"supported_durations"');
  });

  // tests/process/catalog-file.test.ts does the same in every run.
  it('of the catalog file: add a model, make its video, change its price', inGate, async () => {
    const { status, output } = await run('docs/catalog-file.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output).toContain('"id":"house-t2v"');
    expect(output).toMatch(/"status":"completed".*"model":"house-t2v".*"cost":0\.6/);
    expect(output).toContain('"usd":"0.2"');
  });

  it('of the command line: make a video, speak, transcribe, examine', async () => {
    const { status, output } = await run('docs/cli.md', `export PORT=${new URL(product.baseUrl).port}\n`);
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect((await fileOf('cli-boat.mp4')).subarray(4, 8).toString()).toBe('ftyp');
    expect(output).toMatch(/boat|lake/i);
    expect(output).toMatch(/^ok +server /m);
  });

  it('of the tools for agents: read the credits and find a model', async () => {
    const { status, output } = await run('docs/mcp.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output).toContain('"structuredContent":{"object":"credits"');
    expect(output).toContain('"id":"sandbox-t2v"');
  });

  it('of the migration guide: the unchanged client, and the answer to a retired model', async () => {
    const { status, output } = await run('docs/migrating.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect((await fileOf('moved.mp4')).subarray(4, 8).toString()).toBe('ftyp');
    expect(output).toContain('"code":"model_deactivated"');
    expect(output).toContain('"alternatives":[');
  });

  it('of webhooks: verify the signature of a webhook, list its delivery and send it again', async () => {
    const { status, output } = await run('docs/webhooks.md');
    expect([status, output]).toEqual([0, expect.stringMatching(/^video\.completed video_\w+ completed$/m)]);
    expect(output).toContain('"object":"webhook_delivery"');
  });

  it('of errors: a refusal with its headers', async () => {
    const { status, output } = await run('docs/errors.md');
    expect([status, output]).toEqual([0, expect.stringContaining('"code":"unsupported_value"')]);
    expect(output).toContain('x-should-retry: false');
  });

  // The pages about videos, messages and speech have the same samples.
  it('of the README: make a video, send a message, and speak', inGate, async () => {
    const { status, output } = await run('README.md');
    expect([status, output]).toEqual([0, expect.stringContaining('"status":"completed"')]);
    expect(output).toContain("type: 'text'");
    expect((await fileOf('boat.mp4')).subarray(4, 8).toString()).toBe('ftyp');
    // More than half a second of samples of two bytes at 24 kHz.
    expect((await fileOf('hello.pcm')).length).toBeGreaterThan(24_000);
  });

  it('of the management page: create, restrict and revoke a key, list videos, ask for a price', async () => {
    const { status, output } = await run('docs/management.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output).toContain('"allowed_models":["sandbox-t2v"]');
    expect(output).toContain('"object":"quote"');
  });

  it('of the limits page: read the headers, make a key with limits and read their use', async () => {
    const { status, output } = await run('docs/limits.md');
    expect([status, output]).toEqual([
      0,
      expect.stringMatching(/^ratelimit-policy: "organization_requests_per_second"/im),
    ]);
    expect(output).toContain('running_videos');
  });

  it('are all run, here or in the list above', () => {
    const ran = new Set(
      [...readFileSync(import.meta.filename, 'utf8').matchAll(/ run\('([^']+)'/g)].map(([, page]) => page),
    );
    const left = docsPages
      .filter(({ name }) => !ran.has(name) && !guides.includes(name))
      .filter(({ name }) => samplesOf(name).some(({ language }) => language === 'sh' || language === 'ts'));
    expect(left.map(({ name }) => name)).toEqual([]);
  });

  it('that do not run here still exist, and name files that exist', () => {
    for (const [page, commands] of Object.entries(notRunHere)) {
      const blocks = codeBlocks(docsText(page)).map(({ text }) => text);
      for (const [command, reason] of Object.entries(commands)) {
        const text = blocks.find((block) => firstLine(block) === command);
        expect(text, `${page}: ${command}`).toBeDefined();
        const files = [...(text ?? '').matchAll(/\btests\/[\w./-]+/g), ...reason.matchAll(/(?:tests|\.ci)\/[\w./-]+/g)];
        for (const [file] of files)
          expect(file.includes('orbit') || existsSync(path.join(projectRoot, file)), file).toBe(true);
      }
    }
    expect(existsSync(path.join(projectRoot, 'Dockerfile'))).toBe(true);
  });

  it('in TypeScript pass the strictest type check', async () => {
    const programs = docsPages.filter(({ name }) => !guides.includes(name)).flatMap(({ name }) => programsOf(name));
    expect(programs.length).toBeGreaterThan(6);
    expect(await checkTypes(programs, folder.directory)).toBe('');
  });

  it('in JSON are JSON, and those in SQL are migrations that keep the rules', () => {
    for (const { text, language } of docsPages.flatMap((page) => codeBlocks(page.text))) {
      expect(['sh', 'ts', 'python', 'json', 'sql', 'diff', '']).toContain(language);
      if (language === 'json') JSON.parse(text);
      if (language === 'sql') expect(findUnsafe(text)).toEqual([]);
    }
  });
});
