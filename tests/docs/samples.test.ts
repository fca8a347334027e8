import { readFile, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/child-server';
import { projectRoot } from '../support/database';
import { checkTypes, makeCodeDirectory, runPageCode, type PageCode, type Ran } from '../support/page-code';
import { startProduct, type Product } from '../support/product';
import { codeBlocks, docsPages, docsText } from './pages';

// Every command and every program of the API reference, run as a reader does: page by page, in order, in one terminal, after
// the variables of the first page were set. Only the addresses are those of this test.

const WEBHOOK_ADDRESS = '127.0.0.1:4000';
const RUN_MS = 180_000;

let product: Product;
let folder: Awaited<ReturnType<typeof makeCodeDirectory>>;
let receiver: string;

beforeAll(async () => {
  product = await startProduct('viewer', { OUTBOUND_ALLOW: '127.0.0.0/8' });
  folder = await makeCodeDirectory();
  receiver = `127.0.0.1:${await freePort()}`;
  await mkdir(path.join(folder.directory, '.data'));
  await writeFile(path.join(folder.directory, '.data/first-run.json'), JSON.stringify(product.firstRun));
});
afterAll(async () => {
  await product?.stop();
  await folder?.dispose();
});

const localised = (text: string) =>
  text
    .replaceAll('http://127.0.0.1:3000', product.baseUrl)
    .replaceAll(WEBHOOK_ADDRESS, receiver)
    .replaceAll('4000', receiver.split(':')[1] ?? '');
const variables = () => codeBlocks(docsText('api.md'))[0]?.text ?? '';

/** The TypeScript of a page, under the names that the terminal calls. */
const programsOf = (name: string): PageCode[] =>
  codeBlocks(docsText(name)).flatMap(({ language, text }, at) =>
    language === 'ts' ? [{ language: 'typescript', file: `${name}-${at}.mts`, text: localised(text) }] : [],
  );

async function run(name: string): Promise<Ran> {
  for (const program of programsOf(name)) await writeFile(path.join(folder.directory, program.file), program.text);
  const tsx = `"${process.execPath}" "${path.join(projectRoot, 'node_modules/tsx/dist/cli.mjs')}"`;
  const lines = codeBlocks(docsText(name)).map(({ language, text }, at) =>
    language === 'sh' ? text : language === 'ts' ? `${tsx} ${name}-${at}.mts\n` : '',
  );
  const script = ['set -eo pipefail\n', ...(name === 'api.md' ? [] : [variables()]), ...lines].join('');
  return runPageCode(
    { language: 'sh', file: `${name}.sh`, text: localised(script) },
    folder.directory,
    { PATCHBAY: '', PATCHBAY_API_KEY: '' },
    RUN_MS,
  );
}

const fileOf = (name: string) => readFile(path.join(folder.directory, name));

describe('the samples', () => {
  it('of the first page: repeat a submission, fail on purpose, read credits and health', async () => {
    const { status, output } = await run('api.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    const ids = [...output.matchAll(/"id":"(video_\w+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(3);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
    expect(output).toContain('"object":"credits"');
    expect(output).toContain('"message":"OK"');
    expect(output).not.toMatch(/"error":\{"message"/);
  });

  it('of videos: submit with every kind of media, poll, download, edit, list, cancel and delete', async () => {
    const { status, output } = await run('videos.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output.match(/"object":"video","status":"queued"/g)?.length).toBeGreaterThanOrEqual(5);
    expect(output).toContain('"status":"completed"');
    expect(output).toContain('"code":"cancelled"');
    expect(output).toContain('"object":"video.deleted"');
    expect(output).not.toMatch(/^\{"error"/m);
    for (const name of ['boat.mp4', 'paper-boat.mp4'])
      expect((await fileOf(name)).subarray(4, 8).toString(), name).toBe('ftyp');
    expect((await stat(path.join(folder.directory, 'first-kilobyte.bin'))).size).toBe(1024);
  });

  it('of messages: answer, look at a picture, stream, and count', async () => {
    const { status, output } = await run('messages.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output.match(/"type":"message","role":"assistant"/g)?.length).toBeGreaterThanOrEqual(2);
    expect(output).toContain('event: message_stop');
    expect(output).toMatch(/\{"input_tokens":\d+\}/);
    expect(output).not.toContain('"type":"error"');
  });

  it('of speech: what one program speaks, the other hears', async () => {
    let heard = await run('speech.md');
    // On a busy machine the first session after the start can end before the sandbox's recogniser is loaded.
    for (let more = 0; more < 2 && heard.status === 0 && heard.output === ''; more += 1) heard = await run('speech.md');
    expect([heard.status, heard.output]).toEqual([0, expect.stringMatching(/boat|lake/i)]);
  });

  it('of the catalog: list and look up models', async () => {
    const { status, output } = await run('catalog.md');
    expect([status, output]).toEqual([0, expect.any(String)]);
    expect(output).toContain('"id":"sandbox-t2v"');
    expect(output).toContain('"deactivated_at":"2026-09-24T00:00:00Z"');
    expect(output).toContain('"supported_durations"');
    expect(output).not.toMatch(/^\{"(error|type":"error)"/m);
  });

  it('of webhooks: verify the signature of a webhook, list its delivery and send it again', async () => {
    const { status, output } = await run('webhooks.md');
    expect([status, output]).toEqual([0, expect.stringMatching(/^video\.completed video_\w+ completed$/m)]);
    expect(output).toContain('"object":"webhook_delivery"');
  });

  it('of errors: a refusal with its headers', async () => {
    const { status, output } = await run('errors.md');
    expect([status, output]).toEqual([0, expect.stringContaining('"code":"unsupported_value"')]);
    expect(output).toContain('x-should-retry: false');
  });

  it('are on no page that is not run', () => {
    expect(docsPages.map(({ name }) => name).toSorted()).toEqual([
      'api.md',
      'catalog.md',
      'errors.md',
      'messages.md',
      'speech.md',
      'videos.md',
      'webhooks.md',
    ]);
  });

  it('in TypeScript pass the strictest type check', async () => {
    const programs = docsPages.flatMap(({ name }) => programsOf(name));
    expect(programs.length).toBeGreaterThan(4);
    expect(await checkTypes(programs, folder.directory)).toBe('');
  });

  it('in JSON are JSON', () => {
    for (const { text, language } of docsPages.flatMap((page) => codeBlocks(page.text))) {
      expect(['sh', 'ts', 'json']).toContain(language);
      if (language === 'json') JSON.parse(text);
    }
  });
});
