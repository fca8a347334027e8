import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { videoExample } from '../../../lib/contract/examples/videos';
import { buildClient } from '../../../server/build-client';
import { startAudioServer, type AudioServer } from '../../support/audio-server';
import { projectRoot } from '../../support/project';
import { runtimes } from '../../support/runtimes';

// One program with the built client, in every runtime that this machine has: the same lines in each.

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;

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
let server: AudioServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-runtimes-'));
  await mkdir(path.join(folder, 'node_modules/@patchbay'), { recursive: true });
  await buildClient(path.join(folder, 'node_modules/@patchbay/client'));
  await symlink(path.join(projectRoot, 'node_modules/ws'), path.join(folder, 'node_modules/ws'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'program.mjs'), PROGRAM);
  await writeFile(
    path.join(folder, 'ws.mjs'),
    `import { WebSocket } from 'ws';\nexport const open = (url) => new WebSocket(url);\n`,
  );
  server = await startAudioServer();
}, 120_000);
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function environmentFile(): Promise<void> {
  const body = JSON.stringify(videoExample);
  const sent = new Date();
  const headers = {
    'webhook-id': 'del_1',
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('del_1', sent, body),
  };
  const environment = {
    BASE: `http://127.0.0.1:${server.port}`,
    KEY: server.firstRun.keys.test,
    HOOK: JSON.stringify({ body, headers, now: sent.getTime() }),
    SECRET,
  };
  await writeFile(path.join(folder, 'environment.mjs'), `export const environment = ${JSON.stringify(environment)};\n`);
}

/** Not synchronously: the server is in this process. */
function run(command: string, args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args, 'program.mjs'], { cwd: folder, timeout: 120_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve({ stdout, stderr }),
    );
  });
}

describe.each(runtimes)('$name', ({ command, args, missing }) => {
  it('runs a program that makes a video, reads a webhook and speaks', { timeout: 150_000 }, async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    await environmentFile();
    const { stdout } = await run(command, args);
    expect(stdout.trim().split('\n')).toEqual(LINES);
  });
});
