import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import { startEdge } from '../support/edge';
import { startServer, type TestServer } from '../support/server';

// The limits over a real port: what a client sees of them in each of the three forms of an error.

const token = 'operator-token-of-this-test-and-of-no-other';
const json = { 'content-type': 'application/json' };
const video = JSON.stringify({ model: 'sandbox-t2v', prompt: 'a cat', seconds: 1 });
const message = JSON.stringify({
  model: 'sandbox-text',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'Hello' }],
});

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    env: { OPERATOR_TOKEN: token, ORGANIZATION_LIMITS: 'submits_per_minute=3,running_videos=2' },
  });
});
afterAll(() => server.close());

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown> & { readonly error?: { readonly code: string; readonly message: string } };
}

async function ask(
  path: string,
  { key = server.firstRun.keys.live, method = 'GET', body }: { key?: string; method?: string; body?: string } = {},
): Promise<Asked> {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : json) },
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Asked['json'],
  };
}

/** A new key of the first organisation, with limits of its own. */
async function makeKey(limits: object | null, mode = 'test'): Promise<{ id: string; key: string }> {
  const made = await ask('/console/api/keys', {
    method: 'POST',
    body: JSON.stringify({ name: 'Limited', mode, limits }),
  });
  expect(made).toMatchObject({ status: 201 });
  return { id: String(made.json.id), key: String(made.json.key) };
}

describe('requests per second', () => {
  it('are limited for the key, with RateLimit and Retry-After', async () => {
    const { key } = await makeKey({ requests_per_second: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('/v1/credits', { key })));
    const refused = answers.filter(({ status }) => status === 429);
    // The six requests may fall into two windows.
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    const [first] = refused;
    expect(first?.json).toEqual({
      error: {
        message: 'This key reached its limit of 2 requests per second. Try again in 1 second.',
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
        request_id: expect.stringMatching(/^req_/),
      },
    });
    expect([first?.headers.get('retry-after'), first?.headers.get('x-should-retry')]).toEqual(['1', 'true']);
    expect(Number(first?.headers.get('retry-after-ms'))).toBeGreaterThan(0);
    expect(Number(first?.headers.get('retry-after-ms'))).toBeLessThanOrEqual(1_000);
    expect(first?.headers.get('ratelimit-policy')).toContain('"key_requests_per_second";q=2;w=1');
    expect(first?.headers.get('ratelimit')).toContain('"key_requests_per_second";r=0;t=1');
    const named = ['limit', 'remaining', 'reset'].map((what) => first?.headers.get(`x-ratelimit-${what}-requests`));
    expect(named).toEqual(['2', '0', '1s']);
    const [accepted] = answers.filter(({ status }) => status === 200);
    expect(accepted?.headers.get('ratelimit')).toMatch(
      /^"key_requests_per_second";r=[01];t=1, "organization_requests_per_second";r=\d+;t=1$/,
    );
    expect(accepted?.headers.get('access-control-expose-headers')).toContain('RateLimit, RateLimit-Policy');
  });

  it('are refused in the format of the messages API there', async () => {
    const { key } = await makeKey({ requests_per_second: 1 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask('/v1/messages', { key, method: 'POST', body: message })),
    );
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.json).toEqual({
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: 'This key reached its limit of 1 request per second. Try again in 1 second.',
      },
      request_id: expect.stringMatching(/^req_/),
    });
    expect(refused?.headers.get('retry-after')).toBe('1');
  });

  it('count for the management API too', async () => {
    const { key } = await makeKey(null, 'live');
    const { id } = await makeKey({ requests_per_second: 1 }, 'live');
    expect([(await ask(`/console/api/keys/${id}/limits`, { key })).json.error?.code]).toEqual(['scope_required']);
    const answers = await Promise.all(Array.from({ length: 3 }, () => ask('/console/api/keys')));
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.startsWith('"organization_requests'))).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('videos', () => {
  it('that are running are limited exactly, and submits of a minute, live and test separately', async () => {
    const submit = (key: string) => ask('/v1/videos', { key, method: 'POST', body: video });
    const { test, live } = await server.makeOrganization('Videos');
    const answers = await Promise.all(Array.from({ length: 3 }, () => submit(test)));
    expect(answers.filter(({ status }) => status === 202).length).toBe(2);
    expect(answers.find(({ status }) => status === 429)?.json.error).toMatchObject({
      code: 'concurrency_limit_exceeded',
      message: 'Your organisation reached its limit of 2 running videos. Wait until one has finished, or cancel one.',
    });
    const fourth = await submit(test);
    expect([fourth.status, fourth.json.error]).toEqual([
      429,
      expect.objectContaining({
        code: 'rate_limit_exceeded',
        message: expect.stringMatching(/^Your organisation reached its limit of 3 submitted videos per minute\./),
      }),
    ]);
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(30);
    expect((await submit(live)).status).toBe(202);
  });
});

describe('the limits of a key', () => {
  it('are changed, shown with their current use, and removed', async () => {
    const { id, key } = await makeKey({ requests_per_second: 50, spend_per_minute: '2.50' });
    await ask('/v1/credits', { key });
    const { json } = await ask(`/console/api/keys/${id}/limits`);
    expect(json).toMatchObject({ object: 'list' });
    expect(json.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'requests_per_second', scope: 'key', limit: 50 }),
        { name: 'spend_per_minute', scope: 'key', limit: '2.5', used: '0' },
        expect.objectContaining({ name: 'running_videos', scope: 'organization', limit: 2, used: expect.any(Number) }),
      ]),
    );
    const change = (limits: unknown) =>
      ask(`/console/api/keys/${id}`, { method: 'PATCH', body: JSON.stringify({ limits }) });
    expect((await change({ open_streams: 5 })).json.limits).toEqual({ open_streams: 5 });
    expect((await change(null)).json.limits).toBeNull();
    for (const [limits, param, text] of [
      [{ requests_per_second: 0 }, 'limits.requests_per_second', 'must be a whole number from 1 to 1,000,000,000.'],
      [{ spend_per_minute: 2.5 }, 'limits.spend_per_minute', 'must be an amount of dollars such as 2.50'],
      [{ token_counts_per_minute: 1 }, 'limits', 'with these names: requests_per_second'],
      ['fast', 'limits', 'limits must be null or an object'],
    ] as const)
      expect((await change(limits)).json.error).toMatchObject({ param, message: expect.stringContaining(text) });
    expect((await ask('/console/api/keys/key_unknown/limits')).json.error?.code).toBe('key_not_found');
  });

  it('cannot be exceeded by a key that this key creates', async () => {
    const manager = await ask('/console/api/keys', {
      method: 'POST',
      body: JSON.stringify({
        name: 'Manager',
        mode: 'live',
        scopes: ['inference', 'manage'],
        limits: { requests_per_second: 100 },
      }),
    });
    const make = (limits: object | null) =>
      ask('/console/api/keys', {
        key: String(manager.json.key),
        method: 'POST',
        body: JSON.stringify({ name: 'Child', mode: 'live', limits }),
      });
    expect([(await make(null)).json.error?.code, (await make({ requests_per_second: 101 })).json.error?.code]).toEqual([
      'role_required',
      'role_required',
    ]);
    expect((await make({ requests_per_second: 100, open_streams: 9 })).status).toBe(201);
  });
});

describe('the limits of an organisation', () => {
  const operate = (method: string, body?: object) =>
    ask('/internal/operator/limits', { key: token, method, ...(body ? { body: JSON.stringify(body) } : {}) });

  it('are changed by the operator, and go back to the configured ones', async () => {
    const { json: list } = await ask('/internal/operator/organizations', { key: token });
    const [{ id: organization }] = list.data as readonly [{ id: string }];
    const changed = await operate('PATCH', {
      organization,
      limits: { open_streams: 'off', requests_per_second: 7, spend_per_minute: '12.5' },
    });
    expect([changed.status, changed.json]).toEqual([
      200,
      {
        object: 'organization_limits',
        organization,
        limits: {
          requests_per_second: 7,
          submits_per_minute: 3,
          spend_per_minute: '12.5',
          running_videos: 2,
          open_streams: 'off',
          body_mebibytes: 256,
          link_requests_per_second: 1_000,
          open_links: 500,
        },
        changed: ['requests_per_second', 'spend_per_minute', 'open_streams'],
      },
    ]);
    // A key that is not cached sees it at once.
    const { id, key } = await makeKey(null);
    expect((await ask('/v1/credits', { key })).headers.get('ratelimit-policy')).toBe(
      '"organization_requests_per_second";q=7;w=1',
    );
    expect((await ask(`/console/api/keys/${id}/limits`)).json.data).toContainEqual({
      name: 'spend_per_minute',
      scope: 'organization',
      limit: '12.5',
      used: expect.any(String),
    });
    const { json } = await ask('/console/api/audit-entries');
    expect((json.data as readonly { action: string }[]).map(({ action }) => action)).toContain('limits.changed');
    expect(
      (
        await operate('PATCH', {
          organization,
          limits: { open_streams: null, requests_per_second: null, spend_per_minute: null },
        })
      ).json.changed,
    ).toEqual([]);
  });

  it('refuse unknown names and values', async () => {
    const { json: list } = await ask('/internal/operator/organizations', { key: token });
    const [{ id: organization }] = list.data as readonly [{ id: string }];
    for (const limits of [{ requests: 5 }, { requests_per_second: -1 }, { spend_per_minute: 5 }, null])
      expect((await operate('PATCH', { organization, limits })).status).toBe(400);
    expect((await operate('PATCH', { limits: {} })).json.error?.code).toBe('missing_required_parameter');
    expect((await ask('/internal/operator/limits')).json.error?.code).toBe('invalid_operator_token');
  });
});

describe('spending per minute', () => {
  it('less than the price of a video says so, and names no pause', async () => {
    const { key } = await makeKey({ spend_per_minute: '0.005' });
    const body = JSON.stringify({ model: 'sandbox-t2v', prompt: 'A paper boat', seconds: 1, size: '640x360' });
    const { status, json, headers } = await ask('/v1/videos', { key, method: 'POST', body });
    expect(status).toBe(429);
    expect(json.error?.message).toBe(
      'This video costs $0.01, more than the $0.005 that this key may spend a minute. Choose a cheaper one, or have the limit raised.',
    );
    expect([headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([null, 'false']);
  });
});

describe('sockets', () => {
  let audio: AudioServer;
  beforeAll(async () => {
    audio = await startAudioServer({ env: { ORGANIZATION_LIMITS: 'open_streams=1,requests_per_second=1000' } });
  });
  afterAll(() => audio.close());

  it('above the number of open ones get the error as JSON and are closed, until one has ended', async () => {
    const first = audio.speak();
    first.send({ type: 'nothing' });
    await first.next();
    const second = audio.transcribe();
    expect(await second.next()).toEqual({
      type: 'error',
      code: 429,
      message:
        'Your organisation reached its limit of 1 open stream or socket. Wait until one has ended, or close one.',
    });
    expect(await second.closed).toEqual({ code: 4429, reason: 'concurrency_limit_exceeded' });
    first.socket.close();
    await first.closed;
    const third = audio.transcribe();
    third.send({ type: 'nothing' });
    expect(await third.next()).toMatchObject({ type: 'error', code: 400 });
    third.socket.close();
    await third.closed;
  });
});

describe('the rate of sockets', () => {
  it('names the pause in the sentence, as a socket has no headers', async () => {
    const audio = await startAudioServer({ env: { ORGANIZATION_LIMITS: 'spend_per_minute=0.000001' } });
    try {
      const first = audio.speak();
      first.send({ type: 'tts', model: 'sandbox-tts', voice: 'rms', input: 'Hi.' });
      for (let heard: unknown; (heard as { type?: string } | undefined)?.type !== 'done';) heard = await first.next();
      const second = audio.speak();
      expect(await second.next()).toEqual({
        type: 'error',
        code: 429,
        message: expect.stringMatching(/of spending per minute\. Try again in \d+ seconds?\.$/) as string,
      });
      expect(await second.closed).toEqual({ code: 4429, reason: 'rate_limit_exceeded' });
      first.socket.close();
    } finally {
      await audio.close();
    }
  });
});

describe('an overloaded process', () => {
  it('refuses new work at once with 503 and Retry-After, and answers reads', async () => {
    const edge = await startEdge();
    try {
      edge.isOverloaded = true;
      const headers = { ...edge.authorized, ...json };
      const refused = await edge.fetch('/v1/videos', { method: 'POST', headers, body: video });
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
        503,
        '2',
        {
          error: expect.objectContaining({
            code: 'overloaded',
            message: 'This instance is overloaded and takes no new work at this moment. Try again in a few seconds.',
          }),
        },
      ]);
      expect(edge.submissions).toEqual([]);
      expect((await edge.fetch('/v1/videos', { headers })).status).toBe(200);
      edge.isOverloaded = false;
      expect((await edge.fetch('/v1/videos', { method: 'POST', headers, body: video })).status).toBe(202);
    } finally {
      await edge.close();
    }
  });
});
