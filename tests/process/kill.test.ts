import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import nodePath from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/open-database';
import { checkBooks } from '../support/check-books';
import { makeCrashGateway, videoPoints } from '../support/crash-gateway';
import { projectRoot, startWorker } from '../support/database';
import { recordLog } from '../support/log';

// kill -9 at every named point of a video's life. At each point the accepted job reaches one end, is charged once, and
// its webhook comes with one id. Three points run here; `CRASH_ROUNDS` runs all of them that many times (ten rounds
// take about a quarter of an hour).

const rounds = Number(process.env.CRASH_ROUNDS ?? 1);

const allPoints = [...videoPoints, 'during the download'] as const;
const points =
  process.env.CRASH_ROUNDS === undefined
    ? (['before save of the receipt', 'while rendering', 'before terminal commit'] as const)
    : allPoints;

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
    { timeout: 300_000 },
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

      expect(new Set(deliveries.map((each) => each.id)).size).toBe(1);
      for (const { body, headers } of deliveries) {
        expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
        expect(JSON.parse(body)).toEqual(video);
      }
      const db = await openDatabase({
        dataDir: gateway.dataDir,
        migrationsFolder: nodePath.join(projectRoot, 'drizzle'),
        startWorker,
        log: recordLog(),
      });
      expect(await checkBooks(db, { quiet: true })).toEqual([]);
      expect((await db.query('select count(*)::int as n from videos')).rows).toEqual([{ n: 1 }]);
      await db.close();
    },
  );
});

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
