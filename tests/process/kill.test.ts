import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import nodePath from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/open-database';
import { checkBooks } from '../../lib/db/check-books';
import { makeCrashGateway, videoPoints } from '../support/crash-gateway';
import { projectRoot, startWorker } from '../support/database';
import { recordLog } from '../support/log';
import { PICTURE } from '../support/media-bytes';
import { startS3Server } from '../support/s3-server';
import { leftToGate } from '../support/proof-runs';
import { vendorCases, type VendorCase } from '../conformance/video-vendor-cases';
import { KLING_ACCESS_KEY, KLING_SECRET_KEY } from '../support/upstreams/fake-kling';
import { PIXVERSE_KEY, startFakePixverse } from '../support/upstreams/fake-pixverse';
import { RESULT, type VendorRequest } from '../support/upstreams/fake-video-vendor';

// kill -9 at every named point of a video's life, in the sandbox and at a vendor. At each point the accepted job reaches
// one end, is charged once, and its webhook comes with one id. Some points run here; `CRASH_ROUNDS` runs all of them that
// many times (ten rounds take about half an hour).

const rounds = Number(process.env.CRASH_ROUNDS ?? 1);
/** The points of a short run. */
const shortPoints: readonly string[] = ['before save of the receipt', 'during the upload'];
const optionsOf = (point: string, timeout: number) => ({
  timeout,
  ...leftToGate(process.env.CRASH_ROUNDS === undefined && !shortPoints.includes(point)),
});

const allPoints = [...videoPoints, 'during the download'] as const;
const points =
  process.env.CRASH_ROUNDS === undefined
    ? (['before save of the receipt', 'while rendering', 'before terminal commit'] as const)
    : allPoints;

/** Points at a vendor, the number of submits that it gets, and whether the video is completed. */
const allVendorPoints = [
  { point: 'during the upload', submits: 1, completed: true },
  // The process was killed after it had noted that it submits: it is unknown whether the vendor has begun.
  { point: 'before start', submits: 0, completed: false },
  { point: 'before save of the receipt', submits: 1, completed: false },
  { point: 'after save', submits: 1, completed: true },
  { point: 'on check', submits: 1, completed: true },
  { point: 'during the copy to the archive', submits: 1, completed: true },
  { point: 'during the copy to a bucket', submits: 1, completed: true },
  { point: 'before terminal commit', submits: 1, completed: true },
] as const;
const vendorPoints = allVendorPoints.filter(
  ({ point }) =>
    process.env.CRASH_ROUNDS !== undefined || point === 'during the upload' || point.startsWith('during the copy'),
);

const caseOf = (id: string, model?: string): VendorCase => {
  const found = vendorCases.find((given) => given.definition.id === id && (model ?? given.model) === given.model);
  if (!found) throw new Error(`There is no case of ${id}.`);
  return found;
};

/** One vendor for each further kind of wire, with what leads to its fake. */
const wires: readonly { readonly wire: string; readonly vendor: VendorCase }[] = [
  { wire: 'a result that is asked for in two steps (fal)', vendor: caseOf('fal') },
  {
    wire: 'tokens from a service account and a file inside an answer (Vertex AI)',
    vendor: {
      ...caseOf('google-vertex'),
      env(vendor) {
        const { GOOGLE_VERTEX_STORAGE_URI: _bucket, ...env } = caseOf('google-vertex').env(vendor);
        return env;
      },
    },
  },
  {
    wire: 'signed tokens and a look-up by our id (Kling)',
    vendor: {
      ...caseOf('kling'),
      env: ({ baseUrl }) => ({ KLING_ACCESS_KEY, KLING_SECRET_KEY, KLING_BASE_URL: baseUrl }),
    },
  },
];

/** Vendors whose result is asked for in two steps, and the request of the second one. */
const twoSteps: readonly { readonly vendor: VendorCase; isSecond(request: VendorRequest): boolean }[] = [
  { vendor: caseOf('fal'), isSecond: ({ method, path }) => method === 'GET' && /\/requests\/[\w-]+$/.test(path) },
  { vendor: caseOf('minimax', 'hailuo-2.3-t2v'), isSecond: ({ path }) => path === '/v1/files/retrieve' },
];

/** Points at each of them. At the first, the video fails unless the vendor finds it by our id, which takes two minutes. */
const LOST_RECEIPT = 'before save of the receipt';
const wirePoints = [LOST_RECEIPT, 'after save', 'on check', 'during the download', 'before terminal commit'] as const;

interface Received {
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

let receiver: Server;
/** By the path of the webhook: each round has its own. */
const received = new Map<string, Received[]>();
let hooks: string;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void readAll(request).then((body) => {
      received
        .get(request.url ?? '')
        ?.push({ id: String(request.headers['webhook-id']), body, headers: request.headers as Record<string, string> });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

// Three at a time: most of a round is waiting for a process.
describe.concurrent.each(points)('kill -9 %s', (point) => {
  it.for(Array.from({ length: rounds }, (_, round) => round + 1))(
    'round %i: nothing is lost, nothing charged twice, one webhook id',
    optionsOf(point, 300_000),
    async (_round, { onTestFinished }) => {
      const gateway = await makeCrashGateway();
      onTestFinished(() => gateway.remove());
      const path = `/${randomUUID()}`;
      const deliveries: Received[] = [];
      received.set(path, deliveries);
      await gateway.start(point);
      const { test: key } = (await gateway.firstRun()).keys;
      const api = client(gateway.baseUrl, key);
      // Long enough to be killed while rendering, where that is the point.
      const order =
        point === 'while rendering'
          ? { seconds: 4, size: '1280x720', fps: 24 }
          : { seconds: 1, size: '640x360', fps: 8 };
      const idempotencyKey = randomUUID();
      const submit = () =>
        api(
          'POST',
          '/v1/videos',
          { model: 'sandbox-t2v', prompt: 'a cat', ...order, webhook: hooks + path },
          { 'idempotency-key': idempotencyKey },
        );
      const accepted = await submit().catch(() => undefined);
      if (point === 'during the download' && accepted)
        await downloadWhenReady(api, accepted.json.id as string).catch(() => undefined);
      expect(await gateway.ended()).toBe('SIGKILL');

      await gateway.start();
      // A client without an answer sends the same request again; the key makes it one job.
      const again = await submit();
      expect(again.status).toBe(202);
      const id = String(again.json.id);
      if (accepted) expect(id).toBe(accepted.json.id);
      const video = await waitForEnd(api, id);
      expect(video).toMatchObject({
        status: 'completed',
        cost: order.seconds / 100,
        duration_seconds: order.seconds,
        size: order.size,
      });
      const content = await downloadWhenReady(api, id);
      expect(content.subarray(4, 8).toString()).toBe('ftyp');
      await until(() => deliveries.length > 0);
      const credits = (await api('GET', '/v1/credits')).json;
      expect(credits).toMatchObject({ held: '0', spent: String(order.seconds / 100) });
      const { webhook_secret: secret } = await gateway.firstRun();
      await gateway.stop();

      checkDeliveries(deliveries, secret, video);
      await checkData(gateway.dataDir);
    },
  );
});

describe.concurrent.each(vendorPoints)('kill -9 $point, at a vendor', ({ point, submits, completed }) => {
  it.for(Array.from({ length: rounds }, (_, round) => round + 1))(
    'round %i: nothing is paid twice, nothing is lost, one webhook id',
    optionsOf(point, 400_000),
    async (_round, { onTestFinished }) => {
      const vendor = await startFakePixverse();
      onTestFinished(() => vendor.close());
      const archive = await mkdtemp(nodePath.join(tmpdir(), 'patchbay-archive-'));
      onTestFinished(() => rm(archive, { recursive: true }));
      const bucket = point === 'during the copy to a bucket' ? await startS3Server() : undefined;
      onTestFinished(() => bucket?.close());
      const gateway = await makeCrashGateway({
        PIXVERSE_API_KEY: PIXVERSE_KEY,
        PIXVERSE_BASE_URL: vendor.baseUrl,
        CONFIRMED_PRICES: 'pixverse-v6-i2v',
        ...(bucket
          ? {
              MEDIA_STORE: `s3://${bucket.location.bucket}/media?endpoint=${bucket.location.endpoint}`,
              MEDIA_STORE_ACCESS_KEY_ID: bucket.location.credentials.accessKeyId,
              MEDIA_STORE_SECRET_ACCESS_KEY: bucket.location.credentials.secretAccessKey,
            }
          : { MEDIA_STORE: archive }),
      });
      onTestFinished(() => gateway.remove());
      const path = `/${randomUUID()}`;
      const deliveries: Received[] = [];
      received.set(path, deliveries);
      const countOf = (end: string) => vendor.requests.filter((request) => request.path.endsWith(end)).length;
      if (point === 'during the upload') vendor.uploadReplies.push({ status: 200, hang: true });
      await gateway.start(point.startsWith('during the copy') ? 'during the download' : point);
      const { keys, webhook_secret: secret } = await gateway.firstRun();
      const api = client(gateway.baseUrl, keys.live);
      const order = { model: 'pixverse-v6-i2v', prompt: 'a boat', image_url: PICTURE, webhook: hooks + path };
      const { status, json } = await api('POST', '/v1/videos', order);
      expect(status).toBe(202);
      if (point === 'during the upload') {
        await until(() => countOf('/image/upload') === 1);
        await gateway.kill();
      }
      expect(await gateway.ended()).toBe('SIGKILL');

      await gateway.start();
      const video = await waitForEnd(api, String(json.id));
      expect(video.status).toBe(completed ? 'completed' : 'failed');
      if (completed) expect(await downloadWhenReady(api, String(json.id))).toEqual(RESULT);
      else expect(video).toMatchObject({ cost: 0, error: { code: 'upstream_unconfirmed' } });
      await until(() => deliveries.length > 0);
      await checkCredits(api, video);
      await gateway.stop();

      expect(countOf('/generate')).toBe(submits);
      const archived = bucket
        ? (await bucket.keys()).map((key) => nodePath.basename(key))
        : await readdir(nodePath.join(archive, 'videos')).catch(() => []);
      expect(archived).toEqual(completed ? [`${String(video.id)}.mp4`] : []);
      checkDeliveries(deliveries, secret, video);
      await checkData(gateway.dataDir);
    },
  );
});

const killsAtWires: readonly {
  readonly point: string;
  readonly wire: string;
  readonly vendor: VendorCase;
  /** Killed while the vendor leaves the first of these requests without an answer, instead of at a named point. */
  isAsked?(request: VendorRequest): boolean;
}[] = [
  ...wires.flatMap((wire) => wirePoints.map((point) => ({ ...wire, point }))),
  ...twoSteps.map(({ vendor, isSecond }) => ({
    point: 'between the two steps of a result',
    wire: vendor.model,
    vendor,
    isAsked: isSecond,
  })),
];

describe.concurrent.each(killsAtWires)('kill -9 $point, at a vendor with $wire', ({ point, vendor: wire, isAsked }) => {
  it.for(Array.from({ length: rounds }, (_, round) => round + 1))(
    'round %i: nothing is paid twice, nothing is lost, one webhook id',
    { timeout: 400_000, ...leftToGate(process.env.CRASH_ROUNDS === undefined) },
    async (_round, { onTestFinished }) => {
      const vendor = await wire.startVendor();
      onTestFinished(() => vendor.close());
      const archive = await mkdtemp(nodePath.join(tmpdir(), 'patchbay-archive-'));
      onTestFinished(() => rm(archive, { recursive: true }));
      const gateway = await makeCrashGateway({
        ...wire.env(vendor),
        CONFIRMED_PRICES: wire.model,
        MEDIA_STORE: archive,
      });
      onTestFinished(() => gateway.remove());
      const path = `/${randomUUID()}`;
      const deliveries: Received[] = [];
      received.set(path, deliveries);
      if (isAsked) vendor.alterAnswers((reply, request) => (isAsked(request) ? { ...reply, hang: true } : reply));
      await gateway.start(isAsked ? undefined : point);
      const { keys, webhook_secret: secret } = await gateway.firstRun();
      const api = client(gateway.baseUrl, keys.live);
      const order = { model: wire.model, prompt: 'a boat', ...wire.fields, webhook: hooks + path };
      const { status, json } = await api('POST', '/v1/videos', order);
      expect(status).toBe(202);
      if (isAsked) {
        await until(() => vendor.requests.some(isAsked));
        await gateway.kill();
        vendor.alterAnswers();
      }
      expect(await gateway.ended()).toBe('SIGKILL');

      await gateway.start();
      const video = await waitForEnd(api, String(json.id));
      const isCompleted = point !== LOST_RECEIPT || wire.findsLostSubmits === true;
      expect(video.status).toBe(isCompleted ? 'completed' : 'failed');
      if (isCompleted) expect((await downloadWhenReady(api, String(json.id))).subarray(4, 8).toString()).toBe('ftyp');
      else expect(video).toMatchObject({ cost: 0, error: { code: 'upstream_unconfirmed' } });
      await until(() => deliveries.length > 0);
      await checkCredits(api, video);
      await gateway.stop();

      expect(vendor.requests.filter((request) => wire.isSubmit(request))).toHaveLength(1);
      checkDeliveries(deliveries, secret, video);
      await checkData(gateway.dataDir);
    },
  );
});

/** Nothing is held any more, and the one video was charged once. */
async function checkCredits(api: Api, { cost }: Record<string, unknown>): Promise<void> {
  const credits = (await api('GET', '/v1/credits')).json;
  expect(credits.held).toBe('0');
  expect(Number(credits.spent)).toBeCloseTo(Number(cost), 9);
}

/** One id, valid signatures, and the body of GET. */
function checkDeliveries(deliveries: readonly Received[], secret: string, video: unknown): void {
  expect(new Set(deliveries.map((each) => each.id)).size).toBe(1);
  for (const { body, headers } of deliveries) {
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(JSON.parse(body)).toEqual(video);
  }
}

/** One video, and right books. */
async function checkData(dataDir: string): Promise<void> {
  const db = await openDatabase({
    dataDir,
    migrationsFolder: nodePath.join(projectRoot, 'drizzle'),
    startWorker,
    log: recordLog(),
  });
  expect(await checkBooks(db, { quiet: true })).toEqual([]);
  expect((await db.query('select count(*)::int as n from videos')).rows).toEqual([{ n: 1 }]);
  await db.close();
}

type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; json: Record<string, unknown>; bytes: Buffer }>;

function client(baseUrl: string, key: string): Api {
  return async (method, route, body, headers = {}) => {
    const response = await fetch(`${baseUrl}${route}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      json: isJson ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {},
      bytes,
    };
  };
}

async function waitForEnd(api: Api, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { json } = await api('GET', `/v1/videos/${id}`);
    if (json.status === 'completed' || json.status === 'failed') return json;
    await pause(200);
  }
}

async function downloadWhenReady(api: Api, id: string): Promise<Buffer> {
  await waitForEnd(api, id);
  const { status, bytes } = await api('GET', `/v1/videos/${id}/content`);
  expect(status).toBe(200);
  return bytes;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(100);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
