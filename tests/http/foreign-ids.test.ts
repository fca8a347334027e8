import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server';

// The id of another account is answered exactly like one that never existed: byte for byte, except for the request's
// own id.

let server: TestServer;
let stranger: { test: string; live: string };
let mine: string;
let delivery: string;

beforeAll(async () => {
  server = await startServer({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  stranger = await server.makeOrganization('Strangers');
  const made = await call('POST', '/v1/videos', server.firstRun.keys.test, {
    model: 'sandbox-t2v',
    prompt: 'mine',
    seconds: 1,
    size: '640x360',
    fps: 8,
    webhook: 'http://127.0.0.1:9/hook',
  });
  mine = (JSON.parse(made.body) as { id: string }).id;
  for (;;) {
    const { body } = await call('GET', `/v1/videos/${mine}/webhook_deliveries`, server.firstRun.keys.test);
    const [first] = (JSON.parse(body) as { data: { id: string }[] }).data;
    if (first) {
      delivery = first.id;
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});
afterAll(() => server.close());

async function call(method: string, path: string, key: string | undefined, body?: unknown) {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-request-id': 'same-for-all',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // How many requests are left in this second depends only on when the other requests were made.
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => name !== 'date' && !/^(x-)?ratelimit/.test(name)),
  );
  return { status: response.status, headers, body: await response.text() };
}

const missing = 'video_00000000000000000000000000000000';
const routes = [
  ['GET', (id: string) => `/v1/videos/${id}`],
  ['DELETE', (id: string) => `/v1/videos/${id}`],
  ['POST', (id: string) => `/v1/videos/${id}/cancel`],
  ['GET', (id: string) => `/v1/videos/${id}/content`],
  ['HEAD', (id: string) => `/v1/videos/${id}/content`],
  ['GET', (id: string) => `/v1/videos/${id}/webhook_deliveries`],
] as const;

describe.each(routes)('%s %s', (method, path) => {
  it.each(['test', 'live'] as const)(
    "someone else's video is byte for byte a missing one (their %s key)",
    async (mode) => {
      const foreign = await call(method, path(mine), stranger[mode]);
      const never = await call(method, path(missing), stranger[mode]);
      expect(foreign).toEqual(never);
      expect(foreign.status).toBe(404);
    },
  );

  it('a video of the other mode is a missing one for the same organisation', async () => {
    const { live } = server.firstRun.keys;
    expect(await call(method, path(mine), live)).toEqual(await call(method, path(missing), live));
  });

  it('a malformed id is a missing one too', async () => {
    const { test } = server.firstRun.keys;
    expect(await call(method, path('video_%00'), test)).toMatchObject({
      status: expect.toSatisfy((status: number) => status === 400 || status === 404) as number,
    });
    expect(await call(method, path('nonsense'), test)).toEqual(await call(method, path(missing), test));
  });

  it('without a key is 401, whether it exists or not', async () => {
    expect(await call(method, path(mine), undefined)).toEqual(await call(method, path(missing), undefined));
    expect((await call(method, path(mine), undefined)).status).toBe(401);
  });
});

describe('lists and deliveries', () => {
  it('contain nothing of other organisations', async () => {
    const list = await call('GET', '/v1/videos', stranger.test);
    expect(JSON.parse(list.body)).toMatchObject({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
    expect((await call('GET', `/v1/videos?after=${mine}`, stranger.test)).status).toBe(400);
  });

  it("someone else's delivery cannot be resent, and looks like a missing one", async () => {
    const foreign = await call('POST', `/v1/webhook_deliveries/${delivery}/resend`, stranger.test);
    expect(foreign).toEqual(
      await call('POST', '/v1/webhook_deliveries/msg_00000000000000000000000000000000/resend', stranger.test),
    );
    expect(foreign.status).toBe(404);
  });

  it('an Idempotency-Key of another organisation has no meaning', async () => {
    const body = { model: 'sandbox-t2v', prompt: 'once', seconds: 1, size: '640x360', fps: 8 };
    const send = (key: string) =>
      fetch(`${server.baseUrl}/v1/videos`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': 'shared-word',
        },
        body: JSON.stringify(body),
      });
    const [one, two] = [await send(server.firstRun.keys.test), await send(stranger.test)];
    expect([one.status, two.status]).toEqual([202, 202]);
    expect(two.headers.get('idempotent-replayed')).toBeNull();
    expect(((await one.json()) as { id: string }).id).not.toBe(((await two.json()) as { id: string }).id);
  });
});
