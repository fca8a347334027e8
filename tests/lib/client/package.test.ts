import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, transform } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { videoExample } from '../../../lib/contract/examples/videos';
import { buildClient } from '../../../server/build-client';
import { startAudioServer, type AudioServer } from '../../support/audio-server';
import { projectRoot } from '../../support/project';
import { runtimes } from '../../support/runtimes';

// The package that is published, in a folder with nothing else.

const MAX_BYTES = 16_000;
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;

/** One program with the client, the same lines in every runtime. */
const PROGRAM = `
import { ApiError, NotFoundError, openSpeech, Patchbay, unwrapWebhook } from '@patchbay/client';
import { environment } from './environment.mjs';

const { BASE, KEY, HOOK, SECRET } = environment;
const client = new Patchbay({ baseUrl: BASE, apiKey: KEY });
const webSocket = typeof WebSocket === 'undefined' ? (await import('./ws.mjs')).open : undefined;
console.log((await client.credits()).mode);
console.log((await client.model('sandbox-t2v')).id);
const seen = new Set();
const video = await client.videos.createAndWait(
  { model: 'sandbox-t2v', prompt: 'A paper boat', seconds: 1, size: '640x360' },
  { onProgress: ({ status }) => seen.add(status), pollMs: 200 },
);
console.log(video.status, seen.size > 0);
const bytes = new Uint8Array(await (await client.videos.content(video.id)).arrayBuffer());
console.log(new TextDecoder().decode(bytes.subarray(4, 8)));
const part = await client.videos.content(video.id, { range: 'bytes=4-7' });
console.log(part.status, await part.text());
const missing = await client.videos.retrieve('video_none').catch((error) => error);
console.log(missing instanceof NotFoundError, missing instanceof ApiError, missing.code);
const hook = JSON.parse(HOOK);
const event = await unwrapWebhook(hook.body, hook.headers, SECRET, { now: hook.now });
console.log(event.type);
const speech = await openSpeech(client, { model: 'sandbox-tts', voice: 'rms', outputFormat: 'pcm_16000', webSocket });
let heard = 0;
for await (const chunk of speech.speak('The boat is on the lake.')) heard += chunk.length;
speech.close();
console.log(heard > 16000);
`;
const LINES = [
  'test',
  'sandbox-t2v',
  'completed true',
  'ftyp',
  '206 ftyp',
  'true true video_not_found',
  'video.completed',
  'true',
];

let folder: string;
let installed: string;
let server: AudioServer;
let baseUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-client-'));
  const built = await buildClient(path.join(folder, 'built'));
  const [packed = ''] = execFileSync('npm', ['pack', '--silent', built], { cwd: folder, encoding: 'utf8' }).split('\n');
  installed = path.join(folder, 'node_modules/@patchbay/client');
  await mkdir(installed, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(folder, packed), '-C', installed, '--strip-components=1']);
  await symlink(path.join(projectRoot, 'node_modules/ws'), path.join(folder, 'node_modules/ws'));
  server = await startAudioServer();
  baseUrl = `http://127.0.0.1:${server.port}`;
}, 120_000);
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the package of the client', () => {
  it('contains one small module without imports', async () => {
    expect((await readdir(installed)).filter((name) => !name.endsWith('.d.ts')).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'index.js',
      'package.json',
    ]);
    const code = await readFile(path.join(installed, 'index.js'), 'utf8');
    expect(code).not.toMatch(/^import|require\(|node:|process\./m);
    expect((await transform(code, { minify: true })).code.length).toBeLessThan(MAX_BYTES);
  });

  it('leaves out what an app does not use', async () => {
    const sizeOf = async (contents: string) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: folder },
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
      });
      return outputFiles[0]!.contents.length;
    };
    const all = await sizeOf(`export * from '@patchbay/client'`);
    const webhooks = await sizeOf(`export { unwrapWebhook } from '@patchbay/client'`);
    expect(webhooks).toBeLessThan(all / 3);
  });

  it('has types of its own, which need no other package', async () => {
    await writeFile(
      path.join(folder, 'app.mts'),
      [
        `import { openTranscription, Patchbay, unwrapWebhook, VideoFailedError, type VideoJson } from '@patchbay/client';`,
        `const client = new Patchbay({ baseUrl: 'http://127.0.0.1', apiKey: 'x' });`,
        `export const made: Promise<VideoJson> = client.videos.createAndWait({ model: 'm', prompt: 'p', seconds: 4 });`,
        `// @ts-expect-error: a status is one of four words.`,
        `export const wrong: 'done' = (await made).status;`,
        `// @ts-expect-error: a prompt is a text.`,
        `void client.videos.create({ model: 'm', prompt: 1 });`,
        `export const seconds: string = (await unwrapWebhook('', {}, '')).video.seconds;`,
        `void openTranscription(client, { model: 'm', onTranscript: ({ isFinal }) => isFinal satisfies boolean });`,
        `export const isFailed = (error: unknown) => error instanceof VideoFailedError && error.video.id;`,
      ].join('\n'),
    );
    const tsc = path.join(projectRoot, 'node_modules/typescript/bin/tsc');
    const options =
      '--strict --noEmit --skipLibCheck false --module nodenext --target es2023 --lib es2023,dom,dom.iterable --types';
    const { stdout, status } = spawnSync(process.execPath, [tsc, ...options.split(' '), '', 'app.mts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  describe.each(runtimes)('in $name', ({ command, args, missing }) => {
    it('makes a video, reads a webhook and speaks', { timeout: 150_000 }, async ({ skip }) => {
      if (missing !== undefined) return skip(missing);
      await writeProgram();
      // Not synchronously: the server is in this process.
      const output = await new Promise<string>((resolve, reject) => {
        execFile(command, [...args, 'program.mjs'], { cwd: folder, timeout: 120_000 }, (error, stdout, stderr) =>
          error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
        );
      });
      expect(output.trim().split('\n')).toEqual(LINES);
    });
  });

  it('needs only what every web runtime has', async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from '@patchbay/client'`, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'library',
    });
    const names =
      'fetch Headers Response URLSearchParams TextEncoder TextDecoder crypto atob AbortSignal setTimeout clearTimeout';
    const context = createContext(
      Object.fromEntries(names.split(' ').map((name) => [name, (globalThis as Record<string, unknown>)[name]])),
    );
    runInContext(outputFiles[0]!.text, context);
    Object.assign(context, { options: { baseUrl: baseUrl, apiKey: server.firstRun.keys.test } });
    const made = (await runInContext(
      `new library.Patchbay(options).videos.create({ model: 'sandbox-t2v', prompt: 'A boat', seconds: 1 })`,
      context,
    )) as { status: string };
    expect(made.status).toBe('queued');
  });
});

/** Node 20 has no WebSocket of its own, so the program brings one there. */
async function writeProgram(): Promise<void> {
  const body = JSON.stringify(videoExample);
  const sent = new Date();
  const headers = {
    'webhook-id': 'del_1',
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('del_1', sent, body),
  };
  const environment = {
    BASE: baseUrl,
    KEY: server.firstRun.keys.test,
    HOOK: JSON.stringify({ body, headers, now: sent.getTime() }),
    SECRET,
  };
  await writeFile(path.join(folder, 'environment.mjs'), `export const environment = ${JSON.stringify(environment)};\n`);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'program.mjs'), PROGRAM);
  await writeFile(
    path.join(folder, 'ws.mjs'),
    `import { WebSocket } from 'ws';\nexport const open = (url) => new WebSocket(url);\n`,
  );
}
