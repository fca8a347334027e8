import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  CreditsError,
  ExpiredError,
  NotFoundError,
  Patchbay,
  PermissionError,
  RateLimitError,
  ServerError,
  VideoFailedError,
} from '../../../lib/client/index';
import { startServer, type TestServer } from '../../support/server';

// The client against the product.

let server: TestServer;
let client: Patchbay;
beforeAll(async () => {
  server = await startServer();
  client = new Patchbay({ baseUrl: `${server.baseUrl}/`, apiKey: server.firstRun.keys.test });
});
afterAll(() => server.close());

const boat = { model: 'sandbox-t2v', prompt: 'A paper boat', seconds: 1, size: '640x360' };

describe('videos', () => {
  it('are made, watched, listed, downloaded and deleted', { timeout: 120_000 }, async () => {
    const states: string[] = [];
    const video = await client.videos.createAndWait(boat, {
      pollMs: 100,
      onProgress: ({ status }) => states.push(status),
    });
    expect(states[0]).toBe('queued');
    expect(states.at(-1)).toBe('completed');
    expect(video).toMatchObject({ status: 'completed', model: 'sandbox-t2v', width: 640 });

    const start = await client.videos.content(video.id, { range: 'bytes=4-7' });
    expect([start.status, await start.text()]).toEqual([206, 'ftyp']);
    expect((await client.videos.deliveries(video.id)).data).toEqual([]);
    await client.videos.create(boat);
    const ids: string[] = [];
    for await (const each of client.videos.all({ limit: 1, order: 'asc' })) ids.push(each.id);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(video.id);
    expect(await client.videos.delete(video.id)).toEqual({ id: video.id, object: 'video.deleted', deleted: true });
    await expect(client.videos.retrieve(video.id)).rejects.toBeInstanceOf(NotFoundError);
  });

  it('that fail reject with their reason', { timeout: 60_000 }, async () => {
    const failed = await client.videos
      .createAndWait(boat, { pollMs: 100, headers: { 'x-test-scenario': 'moderated-output' } })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(VideoFailedError);
    expect(failed).toMatchObject({ code: 'content_policy_violation', video: { status: 'failed', cost: 0 } });
  });

  it('can be cancelled, and waiting for them can be given up', { timeout: 60_000 }, async () => {
    const { id } = await client.videos.create(boat, { headers: { 'x-test-scenario': 'hang' } });
    const waiting = client.videos.wait(id, { pollMs: 50, signal: AbortSignal.timeout(300) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await client.videos.cancel(id)).status).toMatch(/failed|in_progress|queued/);
    await expect(client.videos.content(id)).rejects.toBeInstanceOf(ConflictError);
  });
});

describe('the account', () => {
  it('has credits and models', async () => {
    expect(await client.credits()).toMatchObject({ object: 'credits', mode: 'test' });
    const models = await client.models();
    expect(models.map(({ id }) => id)).toContain('sandbox-t2v');
    expect(await client.model('sandbox-t2v')).toMatchObject({ id: 'sandbox-t2v' });
  });
});

describe('errors', () => {
  it('are classes with the facts of the answer', async () => {
    const refused = await client.videos.create({ ...boat, size: '1x1' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ status: 400, param: 'size', requestId: expect.stringMatching(/^req/) as string });
    expect((refused as Error).message).toMatch(/size/);

    const stranger = new Patchbay({ baseUrl: server.baseUrl, apiKey: 'pb_test_no' });
    await expect(stranger.credits()).rejects.toBeInstanceOf(AuthenticationError);
    const lost = new Patchbay({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', maxRetries: 0 });
    await expect(lost.credits()).rejects.toBeInstanceOf(ConnectionError);
  });

  it.each([
    [402, CreditsError],
    [403, PermissionError],
    [410, ExpiredError],
    [418, BadRequestError],
    [500, ServerError],
  ])('of status %i have their class', async (status, Class) => {
    const fetch = async () => Response.json({ error: { message: 'Why.', code: 'a_code' } }, { status });
    const answered = new Patchbay({ baseUrl: server.baseUrl, apiKey: 'x', maxRetries: 0, fetch });
    const failure = await answered.credits().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Class);
    expect(failure).toMatchObject({ status, message: 'Why.', code: 'a_code', name: Class.name });
  });

  it('of something in front of the gateway have its status', async () => {
    const behind = new Patchbay({
      baseUrl: server.baseUrl,
      apiKey: 'x',
      maxRetries: 0,
      fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '3' } }),
    });
    const failure = await behind.credits().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServerError);
    expect(failure).toMatchObject({ status: 502, code: undefined, retryAfterMs: 3_000 });
  });
});

describe('attempts', () => {
  /** A connection on which the answers to the first requests are lost or replaced. */
  function behind(...failures: readonly ('lost' | number)[]) {
    const left = [...failures];
    const keys: (string | null)[] = [];
    const client = new Patchbay({
      baseUrl: server.baseUrl,
      apiKey: server.firstRun.keys.test,
      async fetch(input, init) {
        keys.push(new Headers(init?.headers).get('idempotency-key'));
        const failure = left.shift();
        // The gateway has the request, and its answer is lost.
        const response = failure === undefined || failure === 'lost' ? await fetch(input, init) : undefined;
        if (failure === 'lost') throw new TypeError('fetch failed');
        return response ?? Response.json({}, { status: Number(failure), headers: { 'retry-after-ms': '5' } });
      },
    });
    return { client, keys };
  }

  it('of a submission whose answer was lost make no second video', { timeout: 60_000 }, async () => {
    const before = (await client.videos.list({ limit: 100 })).data.length;
    const { client: unlucky, keys } = behind('lost', 503);
    const video = await unlucky.videos.create(boat);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    const after = (await client.videos.list({ limit: 100 })).data;
    expect(after).toHaveLength(before + 1);
    expect(after.map(({ id }) => id)).toContain(video.id);
  });

  it('end after two more, and at once for an error that another attempt does not help', async () => {
    const busy = behind(429, 429, 429, 429);
    await expect(busy.client.credits()).rejects.toBeInstanceOf(RateLimitError);
    expect(busy.keys).toHaveLength(3);
    const wrong = behind(404);
    await expect(wrong.client.credits()).rejects.toBeInstanceOf(NotFoundError);
    expect(wrong.keys).toHaveLength(1);
  });

  it.each([
    [408, undefined, 3],
    [501, undefined, 3],
    [529, undefined, 3],
    [409, undefined, 1],
    [409, 'true', 3],
    [429, 'false', 1],
    [503, 'false', 1],
  ])('after status %i with x-should-retry: %s are %i', async (status, shouldRetry, attempts) => {
    let requests = 0;
    const answered = new Patchbay({
      baseUrl: server.baseUrl,
      apiKey: 'x',
      async fetch() {
        requests += 1;
        const headers = { 'retry-after-ms': '1', ...(shouldRetry !== undefined && { 'x-should-retry': shouldRetry }) };
        return Response.json({}, { status, headers });
      },
    });
    await expect(answered.credits()).rejects.toMatchObject({ status });
    expect(requests).toBe(attempts);
  });
});
