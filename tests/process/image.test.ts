import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FirstRun } from '../../lib/accounts/first-run-file';
import { systemClock } from '../../lib/domain/clock';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { checkAnswersOf } from '../support/check-answers';
import { freePort, unprivilegedAccount } from '../support/child-server';
import { callOnce } from '../support/fleet';
import { startPostgres } from '../support/postgres';
import { projectRoot, SHORT_LIVED } from '../support/project';
import { isFullRun, leftToGate } from '../support/proof-runs';
import { startRedis } from '../support/redis';
import { startS3Server } from '../support/s3-server';
import { openSocket } from '../support/socket-client';

// What the Docker image contains, without Docker: the folder that `server/image.mjs` copies, far from the packages of
// this checkout, owned by another user and read-only, as the image is with a read-only root. The base image is not here:
// debian:bookworm-slim with Node 24 has about 200 MB.

const IMAGE_LIMIT_BYTES = 400e6;
const BASE_BYTES = 205e6;

// Copying the folder takes half a minute, and each first start some seconds.
const inGate = leftToGate(!isFullRun());
const account = unprivilegedAccount() ?? {};

let outer: string;
let folder: string;

describe('the folder of the image', inGate, () => {
  beforeAll(async () => {
    if (!isBuilt()) await buildAll();
    outer = mkdtempSync(path.join(tmpdir(), 'patchbay-image-'));
    chmodSync(outer, 0o755);
    folder = path.join(outer, 'app');
    execFileSync(process.execPath, ['server/image.mjs', folder], { cwd: projectRoot, stdio: 'inherit' });
    execFileSync('chmod', ['-R', 'a-w', folder]);
  });
  afterAll(() => {
    if (folder === undefined) return;
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(outer, { recursive: true, force: true });
  });

  it('leaves the image below 400 MB with its base', () => {
    const bytes = sizeOf(folder);
    console.log(`The folder of the image has ${(bytes / 1e6).toFixed(1)} MB.`);
    expect(bytes).toBeLessThan(IMAGE_LIMIT_BYTES - BASE_BYTES);
  });

  it('has no test, no source map, no source and no package for tests or builds', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(
      files.filter((file) => /\.map$|(?:^|\/)\.env|\.data\/|^(?:dist\/)?tests\/|^(?:lib|app|server)\//.test(file)),
    ).toEqual([]);
    for (const name of ['vitest', 'typescript', 'esbuild', 'tsx', 'tailwindcss', '@vercel'])
      expect(existsSync(path.join(folder, 'node_modules', name)), name).toBe(false);
    // A package that is missing in the folder would be found in one of these.
    for (let above = outer; above !== path.dirname(above); above = path.dirname(above))
      expect(existsSync(path.join(above, 'node_modules')), above).toBe(false);
  });

  it('makes a video and an edit of it, answers, speaks, transcribes and shows pages, and writes only to DATA_DIR', async () => {
    const product = await start({});
    const { keys, operatorToken } = product.secrets();
    const call = (method: string, route: string, body?: unknown) =>
      callOnce(product.baseUrl, method, route, { key: keys.test, body });
    const made = async (order: object) => {
      const { status, json } = await call('POST', '/v1/videos', order);
      expect([status, json]).toEqual([202, expect.anything()]);
      for (;;) {
        const video = (await call('GET', `/v1/videos/${String(json.id)}`)).json;
        if (video.status === 'completed' || video.status === 'failed') return video;
        await systemClock.sleep(200);
      }
    };

    const video = await made({ model: 'sandbox-t2v', prompt: 'a boat', seconds: 2, size: '640x360', fps: 8 });
    expect(video).toMatchObject({ status: 'completed' });
    const file = await fetch(String(video.video_url));
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(4, 8)
        .toString(),
    ).toBe('ftyp');
    const edit = { model: 'sandbox-video-edit', prompt: 'at night', video_url: video.video_url, input_seconds: 2 };
    expect(await made(edit)).toMatchObject({ status: 'completed' });

    const messages = [{ role: 'user', content: 'Hello' }];
    const message = await call('POST', '/v1/messages', { model: 'sandbox-text', max_tokens: 50, messages });
    expect([message.status, message.json.stop_reason]).toEqual([200, 'end_turn']);
    expect(await spokenAndHeard(product.baseUrl, keys.test)).toMatch(/nice/i);

    for (const [page, status, words] of [
      ['/console/sign-in', 200, 'Sign in'],
      ['/docs/videos', 200, 'POST /v1/videos'],
      ['/docs/videos.md', 200, '# Videos'],
      ['/openapi.json', 200, '"openapi":"3.1.'],
      ['/audio/patchbay-audio.js', 200, ''],
      ['/nothing', 404, ''],
    ] as const) {
      const response = await fetch(`${product.baseUrl}${page}`);
      expect([page, response.status]).toEqual([page, status]);
      expect((await response.text()).includes(words), page).toBe(true);
    }

    const credits = execFileSync(process.execPath, ['dist/credits.cjs', 'list', '--url', product.baseUrl], {
      cwd: folder,
      env: { NODE_ENV: 'production', OPERATOR_TOKEN: operatorToken, DATA_DIR: product.dataDir },
      encoding: 'utf8',
    });
    expect(credits).toContain('org_');
    expect(await product.stop()).toBe(0);
    expect(product.log()).not.toMatch(/EACCES|EROFS|ENOENT|Cannot find (?:module|package)|"level":"(?:warn|error)"/);
  });

  it('runs on Postgres, Redis and a bucket', async () => {
    const postgres = await startPostgres();
    const redis = await startRedis();
    if (!postgres || !redis) return;
    onTestFinished(() => Promise.all([postgres.close(), redis.close()]).then(() => undefined));
    const s3 = await startS3Server();
    onTestFinished(() => s3.close());
    const secret = () => randomBytes(32).toString('hex');
    const { bucket, prefix, endpoint, credentials } = s3.location;
    const product = await start({
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      MEDIA_STORE: `s3://${bucket}/${prefix}?region=us-east-1&endpoint=${endpoint}`,
      MEDIA_STORE_ACCESS_KEY_ID: credentials.accessKeyId,
      MEDIA_STORE_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AUTH_SECRET: secret(),
      MASTER_KEY: secret(),
      OPERATOR_TOKEN: secret(),
      BOOTSTRAP_OWNER_EMAIL: 'owner@example.com',
      BOOTSTRAP_OWNER_PASSWORD: secret(),
    });
    expect((await fetch(`${product.baseUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${product.baseUrl}/console/sign-in`)).status).toBe(200);
    expect(await product.stop()).toBe(0);
    expect(product.log()).not.toMatch(/EACCES|EROFS|ENOENT|Cannot find (?:module|package)|"level":"(?:warn|error)"/);
  });
});

/** Starts the folder's server as another user, with a new DATA_DIR and nothing else of this environment. */
async function start(env: Readonly<Record<string, string>>) {
  const dataDir = path.join(outer, `data-${randomBytes(4).toString('hex')}`);
  mkdirSync(dataDir, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(dataDir, account.uid, account.gid);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...SHORT_LIVED, 'dist/main.cjs'], {
    ...account,
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      DATA_DIR: dataDir,
      PORT: String(port),
      OUTBOUND_ALLOW: '127.0.0.0/8',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await expect.poll(() => said + String(child.exitCode ?? ''), { timeout: 120_000 }).toContain('Patchbay is ready');
  onTestFinished(checkAnswersOf(baseUrl));
  const read = (name: string) => JSON.parse(readFileSync(path.join(dataDir, name), 'utf8')) as unknown;
  return {
    baseUrl,
    dataDir,
    log: () => said,
    secrets: () => ({
      // Safe: the product has written both.
      keys: (read('first-run.json') as FirstRun).keys,
      operatorToken: (read('secrets.json') as { operatorToken: string }).operatorToken,
    }),
    stop(): Promise<number | null> {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function spokenAndHeard(baseUrl: string, key: string): Promise<string> {
  const open = (route: string) => openSocket(`${baseUrl.replace('http', 'ws')}${route}`, { key });
  const speaker = open('/v1/audio/speech/ws');
  onTestFinished(() => speaker.cut());
  speaker.send({
    type: 'tts',
    model: 'sandbox-tts',
    input: 'The weather is nice today.',
    voice: 'rms',
    output_format: 'pcm_16000',
  });
  await speaker.next(({ type }) => type === 'done');
  const sound = Buffer.concat(
    speaker.messages.filter(({ type }) => type === 'audio').map(({ data }) => Buffer.from(String(data), 'base64')),
  );
  const listener = open('/v1/audio/transcriptions/ws');
  onTestFinished(() => listener.cut());
  listener.send({
    type: 'configure',
    model: 'sandbox-stt',
    encoding: 'pcm_s16le',
    sample_rate: 16_000,
    language: 'en',
  });
  await listener.next(({ type }) => type === 'session_started');
  for (let at = 0; at < sound.byteLength; at += 640) {
    listener.send(sound.subarray(at, at + 640));
    await systemClock.sleep(20);
  }
  listener.send({ type: 'stop' });
  await listener.next(({ type }) => type === 'done');
  const finals = listener.messages.filter(({ type, is_final }) => type === 'transcript' && is_final === true);
  return finals.map(({ text }) => text).join(' ');
}

/** The bytes of all files below a folder. */
const sizeOf = (directory: string): number =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((file) => lstatSync(path.join(directory, file)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
