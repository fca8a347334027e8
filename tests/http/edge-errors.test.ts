import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../lib/domain/error-rules';
import { GatewayError } from '../../lib/domain/errors';
import { DONE, FOREIGN, QUEUED, startEdge, TEST_KEY, type RunningEdge } from '../support/edge';
import { ofKey } from '../support/policy-levels';

let edge: RunningEdge;
beforeEach(async () => {
  edge = await startEdge();
});
afterEach(() => edge.close());

const json = { 'content-type': 'application/json' };
const submit = (init: RequestInit = {}) =>
  edge.fetch('/v1/videos', {
    method: 'POST',
    body: '{"model":"m","prompt":"p"}',
    ...init,
    headers: { ...edge.authorized, ...json, ...(init.headers as Record<string, string>) },
  });
async function codeOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { code: string; request_id: string } };
  expect(body.error.request_id).toBe(response.headers.get('x-request-id'));
  return `${response.status} ${body.error.code}`;
}

describe('every answer', () => {
  it.each(['/v1/videos', '/v1/models', '/v1/nothing', '/', '/livez', '/v1/%2f', '/v1/audio/speech/ws'])(
    '%s carries its request id twice and nosniff',
    async (path) => {
      const { headers } = await edge.fetch(path);
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
      expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it.each([
    ['my-request-1', true],
    ['a'.repeat(64), true],
    ['short', false],
    ['a'.repeat(65), false],
    ['with blanks in it', false],
    ['quote"quote"', false],
  ])("takes the caller's X-Request-Id %j: %s", async (id, taken) => {
    const { headers } = await edge.fetch('/v1/credits', { headers: { ...edge.authorized, 'x-request-id': id } });
    expect(headers.get('x-request-id') === id).toBe(taken);
  });

  it('writes one line into the log, without the query', async () => {
    await edge.fetch('/v1/videos?after=secret-in-query', { headers: edge.authorized });
    const lines = edge.log.lines.filter((line) => line.message === 'request');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.fields).toMatchObject({
      route: '/v1/videos',
      method: 'GET',
      status: 200,
      orgId: expect.stringMatching(/^org_/),
      keyId: expect.stringMatching(/^key_/),
      ms: expect.any(Number),
    });
    expect(JSON.stringify(edge.log.lines)).not.toContain('secret-in-query');
  });
});

describe('the key', () => {
  it('is required on every route that is not public', async () => {
    for (const path of [
      '/v1/videos',
      `/v1/videos/${DONE}`,
      `/v1/videos/${DONE}/content`,
      `/v1/videos/${DONE}/webhook_deliveries`,
      '/v1/credits',
    ]) {
      const response = await edge.fetch(path);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.headers.get('x-should-retry')).toBe('false');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await codeOf(response), path).toBe('401 missing_api_key');
    }
  });

  it('is taken from x-api-key on the models paths only', async () => {
    expect((await edge.fetch('/v1/models', { headers: { 'x-api-key': TEST_KEY } })).status).toBe(200);
    expect(await codeOf(await edge.fetch('/v1/models', { headers: { 'x-api-key': 'wrong' } }))).toBe(
      '401 invalid_api_key',
    );
    expect(await codeOf(await edge.fetch('/v1/credits', { headers: { 'x-api-key': TEST_KEY } }))).toBe(
      '401 missing_api_key',
    );
  });

  it('must be valid if sent to the catalog, which requires none', async () => {
    for (const path of ['/v1/models', '/v1/models/sandbox-t2v', '/v1/models_compat', '/internal/models']) {
      expect((await edge.fetch(path)).status, path).toBe(200);
      expect((await edge.fetch(path, { headers: { authorization: '' } })).status, path).toBe(200);
      const refused = await edge.fetch(path, { headers: { authorization: 'Bearer wrong' } });
      expect(refused.status, path).toBe(401);
      if (path !== '/v1/models_compat') expect(await codeOf(refused), path).toBe('401 invalid_api_key');
    }
  });

  it('of any scope reads the catalog, which is public', async () => {
    for (const policy of [ofKey({ allowedEndpoints: ['/v1/videos'] }), { scopes: ['manage' as const] }]) {
      edge.policy = policy;
      for (const path of ['/v1/models', '/v1/models/sandbox-t2v', '/v1/models_compat', '/internal/models'])
        expect((await edge.fetch(path, { headers: edge.authorized })).status, path).toBe(200);
    }
  });

  it('needs the scope inference for /v1', async () => {
    edge.policy = { scopes: ['manage'] };
    expect(await codeOf(await edge.fetch('/v1/credits', { headers: edge.authorized }))).toBe('403 scope_required');
    expect((await edge.fetch('/internal/models', { headers: edge.authorized })).status).toBe(200);
  });

  it.each([
    ['/v1/videos', ['/v1/videos'], true],
    [`/v1/videos/${QUEUED}`, ['/v1/videos'], true],
    [`/v1/%76ideos/${QUEUED}`, ['/v1/videos'], true],
    ['/v1/credits', ['/v1/videos', '/v1/credits'], true],
    ['/v1/credits', ['/v1/videos'], false],
    ['/v1/videos', ['/v1/video'], false],
    [`/v1/videos/${QUEUED}`, ['/v1/models'], false],
    ['/v1/credits', [], false],
  ])('opens %s with the endpoints %j: %s', async (path, allowedEndpoints, opens) => {
    edge.policy = ofKey({ allowedEndpoints });
    const response = await edge.fetch(path, { headers: edge.authorized });
    if (opens) expect(response.status).toBe(200);
    else expect(await codeOf(response)).toBe('403 endpoint_not_allowed');
  });

  it('of a policy narrows the catalog, and this answer is cached for no other caller', async () => {
    edge.policy = ofKey({ allowedModels: ['sandbox-t2v'] });
    const response = await edge.fetch('/v1/models', { headers: edge.authorized });
    expect(((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(['sandbox-t2v']);
    expect(response.headers.get('cache-control')).toBe('private, max-age=60');
    expect(await codeOf(await edge.fetch('/v1/models/sandbox-i2v', { headers: edge.authorized }))).toBe(
      '404 model_not_found',
    );
    edge.policy = ofKey({ allowedProviders: ['nobody'] });
    expect(await (await edge.fetch('/v1/models', { headers: edge.authorized })).json()).toMatchObject({ data: [] });
  });
});

describe('a request without a route', () => {
  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/videos/a/b/c', '/internal/nothing', '/v1/videos/', '/v1/messages/x'])(
    '%s is 404 route_not_found in our shape',
    async (path) => {
      const response = await edge.fetch(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(JSON.stringify(await response.json())).toMatch(
        path.startsWith('/v1/messages') ? /"not_found_error"/ : /"route_not_found"/,
      );
    },
  );

  it('goes to Next on any other path', async () => {
    expect((await edge.fetch('/console')).headers.get('x-by')).toBe('next');
  });

  it('with a wrong method is 405 and names the allowed ones', async () => {
    for (const [path, method, allow] of [
      ['/v1/videos', 'PUT', 'GET, HEAD, OPTIONS, POST'],
      [`/v1/videos/${DONE}`, 'PATCH', 'DELETE, GET, HEAD, OPTIONS'],
      [`/v1/videos/${DONE}/cancel`, 'GET', 'OPTIONS, POST'],
      ['/v1/models/sora-2', 'DELETE', 'GET, HEAD, OPTIONS'],
      ['/internal/models', 'POST', 'GET, HEAD, OPTIONS'],
      ['/', 'POST', 'GET, HEAD, OPTIONS'],
      ['/livez', 'POST', 'GET, HEAD'],
    ] as const) {
      const response = await edge.fetch(path, { method });
      expect(response.headers.get('allow'), path).toBe(allow);
      expect(await codeOf(response), path).toBe('405 method_not_allowed');
    }
  });

  it('to the path of a socket without an upgrade is 426', async () => {
    for (const path of ['/v1/audio/transcriptions/ws', '/v1/audio/speech/ws?token=secret']) {
      const response = await edge.fetch(path);
      expect(response.headers.get('upgrade')).toBe('websocket');
      expect(await codeOf(response)).toBe('426 upgrade_required');
    }
  });
});

describe('POST /v1/videos', () => {
  it('answers 202 and passes everything on', async () => {
    const response = await submit({
      headers: {
        'idempotency-key': 'k-1',
        'x-test-scenario': 'slow:3',
        'x-stainless-retry-count': '0',
        'x-request-id': 'request-1',
      },
      body: '{"model":"m","odd":1,"odd2":2}',
    });
    expect(response.status).toBe(202);
    expect(response.headers.get('x-ignored-params')).toBe('odd, odd2');
    expect(response.headers.get('idempotent-replayed')).toBeNull();
    expect(edge.submissions).toEqual([
      {
        body: { model: 'm', odd: 1, odd2: 2 },
        textOnly: false,
        requestId: 'request-1',
        automaticRetry: false,
        idempotencyKey: 'k-1',
        scenario: 'slow:3',
      },
    ]);
  });

  it('recognises an automatic retry and says that it replayed', async () => {
    const response = await submit({ headers: { 'x-stainless-retry-count': '1' } });
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(edge.submissions[0]).toMatchObject({ automaticRetry: true });
  });

  it.each(['identity', ' Identity '])('takes a body with Content-Encoding: %s', async (encoding) => {
    const response = await submit({ headers: { 'content-encoding': encoding } });
    expect(response.status).toBe(202);
  });

  it('takes a form', async () => {
    const form = new FormData();
    form.set('model', 'm');
    form.set('seconds', '8');
    form.set('input_reference[image_url]', 'https://example.com/a.png');
    const response = await edge.fetch('/v1/videos', { method: 'POST', headers: edge.authorized, body: form });
    expect(response.status).toBe(202);
    expect(edge.submissions[0]).toMatchObject({
      textOnly: true,
      body: { model: 'm', seconds: '8', input_reference: { image_url: 'https://example.com/a.png' } },
    });
  });

  it('refuses an uploaded file and names its field', async () => {
    const form = new FormData();
    form.set('input_reference', new Blob([new Uint8Array([1, 2, 255])]), 'a.png');
    const response = await edge.fetch('/v1/videos', { method: 'POST', headers: edge.authorized, body: form });
    expect(await response.json()).toMatchObject({ error: { code: 'unsupported_parameter', param: 'input_reference' } });
  });

  it.each([
    ['400 invalid_json', { body: '{' }],
    ['400 invalid_body', { body: '[]' }],
    ['415 unsupported_media_type', { headers: { 'content-type': 'text/plain' } }],
    ['415 unsupported_content_encoding', { headers: { 'content-encoding': 'gzip' } }],
    ['413 request_too_large', { body: JSON.stringify({ prompt: 'x'.repeat(1024 * 1024) }) }],
    ['400 invalid_idempotency_key', { headers: { 'idempotency-key': '' } }],
    ['400 invalid_idempotency_key', { headers: { 'idempotency-key': 'x'.repeat(256) } }],
    ['400 invalid_idempotency_key', { headers: { 'idempotency-key': 'cl\u00e9' } }],
    ['401 invalid_api_key', { headers: { authorization: 'Bearer wrong' } }],
  ] as const)('is %s (%#)', async (code, init) => {
    expect(await codeOf(await submit(init))).toBe(code);
    expect(edge.submissions).toEqual([]);
  });

  it('takes an Idempotency-Key of 255 characters', async () => {
    expect((await submit({ headers: { 'idempotency-key': '~'.repeat(255) } })).status).toBe(202);
  });

  it('passes on the refusals of the use case', async () => {
    const cases: [ErrorCode, number, string | null][] = [
      ['credits_held_by_running_jobs', 402, '30'],
      ['insufficient_credits', 402, null],
      ['idempotency_in_progress', 409, '1'],
      ['idempotency_key_reused', 422, null],
      ['rate_limit_exceeded', 429, '1'],
    ];
    for (const [code, status, retryAfter] of cases) {
      edge.fail = () => {
        throw new GatewayError(code, 'No.');
      };
      const response = await submit();
      expect(response.headers.get('retry-after'), code).toBe(retryAfter);
      expect(await codeOf(response)).toBe(`${status} ${code}`);
    }
  });

  it('notifies the use case when its answer was sent', async () => {
    const { id } = (await (await submit()).json()) as { id: string };
    await expect.poll(() => edge.ends).toEqual([{ id, how: 'finished' }]);
  });
});

describe('an error', () => {
  it('of ours is 500, with the error in the log and nothing of it in the answer', async () => {
    edge.fail = () => {
      throw new TypeError('a secret inside');
    };
    const response = await edge.fetch(`/v1/videos/${DONE}`, { headers: edge.authorized });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal_error', type: 'server_error' } });
    expect(text).not.toContain('secret');
    const line = edge.log.lines.find(({ level }) => level === 'error');
    expect(line?.fields).toMatchObject({
      code: 'internal_error',
      error: expect.stringContaining('TypeError'),
      requestId: response.headers.get('x-request-id'),
    });
    expect(JSON.stringify(line)).not.toContain('a secret inside');
  });

  it('of the database is 503 with a Retry-After', async () => {
    edge.fail = (name) => {
      if (name !== 'health')
        throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    };
    for (const response of [await submit(), await edge.fetch('/v1/credits', { headers: edge.authorized })]) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(5);
      expect(response.headers.get('x-should-retry')).toBe('true');
      const text = await response.text();
      expect(text).toContain('database_unavailable');
      expect(text).not.toContain('10.0.0.1');
    }
    for (const path of ['/v1/models', '/v1/models/sandbox-t2v', '/internal/models', '/', '/livez'])
      expect((await edge.fetch(path)).status, path).toBe(200);
  });
});

describe('while the process stops or starts', () => {
  const readiness = async () => {
    const ready = await edge.fetch('/readyz');
    return [ready.status, await ready.json()];
  };

  it('draining reports not ready, still takes new work, and closes each connection after its response', async () => {
    expect((await submit()).headers.get('connection')).toBe('keep-alive');
    edge.phase = 'draining';
    const response = await submit();
    expect([response.status, response.headers.get('connection')]).toEqual([202, 'close']);
    expect(await readiness()).toEqual([503, { status: 'draining' }]);
    expect((await edge.fetch('/livez')).status).toBe(200);
  });

  it('closing refuses only new work', async () => {
    edge.phase = 'closing';
    const response = await submit();
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await codeOf(response)).toBe('503 shutting_down');
    expect((await edge.fetch(`/v1/videos/${DONE}`, { headers: edge.authorized })).status).toBe(200);
    expect((await edge.fetch(`/v1/videos/${QUEUED}/cancel`, { method: 'POST', headers: edge.authorized })).status).toBe(
      200,
    );
    expect(await readiness()).toEqual([503, { status: 'draining' }]);
    expect((await edge.fetch('/livez')).status).toBe(200);
  });

  it('without its database it reports not ready, and that it is alive', async () => {
    expect(await readiness()).toEqual([200, { status: 'ready' }]);
    edge.databaseConnected = false;
    expect(await readiness()).toEqual([503, { status: 'database_unavailable' }]);
    expect((await edge.fetch('/livez')).status).toBe(200);
    // Everything works without Redis.
    expect(edge.skips).toEqual([['redis'], ['redis']]);
  });

  it('starting answers requests that need no database', async () => {
    edge.phase = 'starting';
    expect(await codeOf(await submit())).toBe('503 database_unavailable');
    expect((await edge.fetch('/v1/models')).status).toBe(200);
    expect(await (await edge.fetch('/readyz')).json()).toEqual({ status: 'starting' });
  });
});

describe('the rest of the routes', () => {
  const get = (path: string) => edge.fetch(path, { headers: edge.authorized });

  it('GET /v1/videos/{id} of an unfinished one says when to poll again', async () => {
    const queued = await get(`/v1/videos/${QUEUED}`);
    expect([queued.headers.get('openai-poll-after-ms'), queued.headers.get('retry-after')]).toEqual(['5000', '5']);
    const test = await edge.fetch(`/v1/videos/${QUEUED}`, { headers: { authorization: `bearer ${TEST_KEY}` } });
    expect([test.headers.get('openai-poll-after-ms'), test.headers.get('retry-after')]).toEqual(['1000', '1']);
    expect((await get(`/v1/videos/${DONE}`)).headers.get('openai-poll-after-ms')).toBeNull();
  });

  it('GET /v1/videos/{id} says which provider accepted it, and at which attempt', async () => {
    const { headers } = await get(`/v1/videos/${DONE}`);
    expect([headers.get('x-patchbay-provider'), headers.get('x-patchbay-attempts')]).toEqual(['sandbox', '2']);
  });

  it("someone else's video is byte for byte a missing one", async () => {
    const bodies = await Promise.all(
      [FOREIGN, 'video_ffffffffffffffffffffffffffffffff', 'nonsense'].map(async (id) => {
        const response = await get(`/v1/videos/${id}`);
        return (await response.text()).replace(response.headers.get('x-request-id') ?? '', '');
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it.each([
    ['', { limit: 20, order: 'desc' }],
    ['?limit=1&order=asc&after=x', { limit: 1, order: 'asc', after: 'x' }],
    ['?limit=100&order=&after=', { limit: 100, order: 'desc' }],
  ])('GET /v1/videos%s returns the page', async (query, page) =>
    expect(await (await get(`/v1/videos${query}`)).json()).toMatchObject({ page }),
  );

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=-1', 'limit'],
    ['?order=up', 'order'],
  ])('GET /v1/videos%s is 400 and names %s', async (query, param) => {
    expect(await (await get(`/v1/videos${query}`)).json()).toMatchObject({
      error: { code: 'unsupported_value', param },
    });
  });

  it('DELETE, cancel, deliveries, resend and credits answer as documented', async () => {
    const call = async (method: string, path: string) => {
      const response = await edge.fetch(path, { method, headers: edge.authorized });
      return [response.status, await response.json()] as const;
    };
    expect(await call('DELETE', `/v1/videos/${DONE}`)).toEqual([
      200,
      { id: DONE, object: 'video.deleted', deleted: true },
    ]);
    expect(await call('DELETE', `/v1/videos/${QUEUED}`)).toMatchObject([
      409,
      { error: { code: 'video_not_finished' } },
    ]);
    expect(await call('POST', `/v1/videos/${QUEUED}/cancel`)).toMatchObject([200, { status: 'failed' }]);
    expect(await call('POST', `/v1/videos/${DONE}/cancel`)).toMatchObject([409, { error: { code: 'video_finished' } }]);
    expect(await call('GET', `/v1/videos/${DONE}/webhook_deliveries`)).toMatchObject([
      200,
      { object: 'list', data: [{ object: 'webhook_delivery' }], has_more: false },
    ]);
    expect(await call('GET', `/v1/videos/${FOREIGN}/webhook_deliveries`)).toMatchObject([
      404,
      { error: { code: 'video_not_found' } },
    ]);
    expect(await call('POST', '/v1/webhook_deliveries/msg_00000000000000000000000000000001/resend')).toMatchObject([
      202,
      { object: 'webhook_delivery' },
    ]);
    expect(await call('POST', '/v1/webhook_deliveries/msg_x/resend')).toMatchObject([
      404,
      { error: { code: 'delivery_not_found' } },
    ]);
    expect(await call('GET', '/v1/credits')).toMatchObject([200, { object: 'credits', mode: 'live' }]);
  });
});

describe('the catalog', () => {
  it('is public, cacheable, and 304 for a client that has it', async () => {
    for (const path of ['/v1/models', '/v1/models/sandbox-t2v', '/v1/models_compat', '/internal/models?type=video']) {
      const first = await edge.fetch(path);
      expect(first.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300');
      expect(first.headers.get('x-catalog-age')).toMatch(/^\d+$/);
      const again = await edge.fetch(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([
        304,
        '',
        first.headers.get('etag'),
      ]);
    }
  });

  it('answers clients of the message-style API with errors in their shape', async () => {
    const error = (type: string) => ({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: expect.stringMatching(/^req_/),
    });
    const wrong = await edge.fetch('/v1/models_compat?limit=0');
    expect([wrong.status, await wrong.json()]).toEqual([400, error('invalid_request_error')]);
    const refused = await edge.fetch('/v1/models_compat', { headers: { 'x-api-key': 'wrong' } });
    expect([refused.status, await refused.json()]).toEqual([401, error('authentication_error')]);
    expect(await codeOf(await edge.fetch('/v1/models?limit=0'))).toBe('400 unsupported_value');
  });

  it('shows a retired model with include_deactivated, with the header that says when', async () => {
    expect(await codeOf(await edge.fetch('/v1/models/sora-2-t2v'))).toBe('404 model_deactivated');
    const response = await edge.fetch('/v1/models/sora-2-t2v?include_deactivated=true');
    expect([response.status, response.headers.get('sunset')]).toEqual([200, 'Thu, 24 Sep 2026 00:00:00 GMT']);
    expect(await response.json()).toMatchObject({ id: 'sora-2-t2v', deactivated_at: '2026-09-24T00:00:00Z' });
  });

  it('says in headers since when a model is deprecated, and when it ends', async () => {
    const response = await edge.fetch('/v1/models/gpt-4o-transcribe');
    expect([response.status, response.headers.get('deprecation'), response.headers.get('sunset')]).toEqual([
      200,
      `@${Date.parse('2026-08-26T00:00:00Z') / 1_000}`,
      'Fri, 26 Feb 2027 00:00:00 GMT',
    ]);
    expect(await codeOf(await edge.fetch('/v1/models/mimo-v2.5-pro'))).toBe('404 model_deactivated');
  });

  it('has no route with a trailing slash, as all other paths', async () => {
    for (const path of ['/v1/models/', '/v1/models/sandbox-t2v/', '/v1/models/sandbox/sandbox-t2v/', '/v1/videos/'])
      expect(await codeOf(await edge.fetch(path)), path).toBe('404 route_not_found');
  });

  it('refuses an unknown type and names the known ones', async () => {
    expect(await (await edge.fetch('/internal/models?type=text')).json()).toMatchObject({
      error: { code: 'unsupported_value', param: 'type', details: { allowed: ['video', 'messages', 'stt', 'tts'] } },
    });
  });

  it('finds a pinned model with its slash raw or encoded', async () => {
    const [raw, encoded] = await Promise.all(
      ['/v1/models/sandbox/sandbox-t2v', '/v1/models/sandbox%2Fsandbox-t2v'].map(async (path) =>
        (await edge.fetch(path)).text(),
      ),
    );
    expect(raw).toBe(encoded);
    expect(JSON.parse(raw ?? '')).toMatchObject({ id: 'sandbox-t2v' });
  });

  it('ignores unknown filters', async () => {
    expect(
      await (await edge.fetch('/v1/models?include_deactivated=perhaps&exclude_deprecated=1&beta=true')).text(),
    ).toBe(await (await edge.fetch('/v1/models')).text());
  });

  it('refuses an unknown and a retired model with different messages', async () => {
    expect(await (await edge.fetch('/v1/models/nothing')).json()).toMatchObject({
      error: { code: 'model_not_found', param: 'model', details: { suggestions: expect.any(Array) } },
    });
    expect(await (await edge.fetch('/v1/models/sora-2')).json()).toMatchObject({
      error: { code: 'model_deactivated', details: { alternatives: expect.any(Array) } },
    });
  });
});

describe('GET /', () => {
  const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  it('sends a browser to the console', async () => {
    const response = await edge.fetch('/', { headers: html });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console']);
  });

  it('is the health check for all other clients, and for a browser with skip', async () => {
    expect(await (await edge.fetch('/')).json()).toMatchObject({ message: 'OK', health: { status: 'ok' } });
    expect((await edge.fetch('/?skip=', { headers: html })).status).toBe(200);
  });

  it('skips known names and ignores the rest', async () => {
    await edge.fetch('/?skip=redis,nonsense, database');
    await edge.fetch('/?skip=nonsense');
    expect(edge.skips).toEqual([['redis', 'database'], []]);
  });

  it('HEAD / and /api/hello check nothing', async () => {
    edge.fail = () => {
      throw new Error('asked');
    };
    expect((await edge.fetch('/', { method: 'HEAD', headers: html })).status).toBe(200);
    expect((await edge.fetch('/api/hello')).status).toBe(200);
    expect((await edge.fetch('/api/hello', { method: 'HEAD' })).status).toBe(200);
  });
});
