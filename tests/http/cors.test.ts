import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DONE, startEdge, type RunningEdge } from '../support/edge';

let edge: RunningEdge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

const preflight = (path: string, headers?: string) =>
  edge.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      ...(headers ? { 'access-control-request-headers': headers } : {}),
    },
  });
const allowedHeaders = (response: Response) =>
  (response.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');

describe('a preflight', () => {
  it.each([
    '/v1/videos',
    `/v1/videos/${DONE}`,
    '/v1/models/acme/x',
    '/v1/credits',
    '/v1/nothing',
    '/v1/messages',
    '/internal/models',
    '/',
  ])('%s is answered to any origin, without a key and without credentials', async (path) => {
    const response = await preflight(path);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('access-control-allow-methods')).toBe(response.headers.get('allow'));
    expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(await response.text()).toBe('');
  });

  it.each([
    'authorization',
    'content-type',
    'idempotency-key',
    'x-request-id',
    'x-api-key',
    'x-test-scenario',
    'range',
    'if-range',
    'anthropic-version',
    'anthropic-beta',
    'x-stainless-retry-count',
    'x-stainless-lang',
  ])('allows %s', async (name) => {
    expect(allowedHeaders(await preflight('/v1/videos', `x-other, ${name}`))).toContain(name);
  });

  it.each(['x-other', 'cookie', 'x-middleware-subrequest', 'anthropic-\u007f', 'x-stainless-a b'])(
    'does not allow %j',
    async (name) => {
      expect(
        allowedHeaders(await preflight('/v1/videos', `authorization, ${name.replace('\u007f', '"')}`)),
      ).not.toContain(name);
    },
  );

  it.each(['/livez', '/readyz', '/api/hello', '/.well-known/security.txt'])('%s has none', async (path) => {
    const response = await preflight(path);
    expect(response.status).toBe(405);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('an answer of a public endpoint or of /v1', () => {
  it.each([
    ['/v1/models', {}, 200],
    ['/internal/models', {}, 200],
    ['/', {}, 200],
    ['/v1/videos', {}, 401],
    ['/v1/videos', { method: 'PUT' }, 405],
    ['/v1/nothing', {}, 404],
    ['/v1/a%2fb', {}, 400],
    ['/v1/audio/speech/ws', {}, 426],
  ] as const)('%s %j carries the headers at %d, so that a page may read it', async (path, init, status) => {
    const response = await edge.fetch(path, { ...init, headers: { origin: 'https://app.example' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = (response.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    for (const name of [
      'x-request-id',
      'request-id',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'x-ignored-params',
      'content-range',
    ])
      expect(exposed).toContain(name);
  });

  it.each(['/readyz', '/livez'])('%s does not', async (path) => {
    expect(
      (await edge.fetch(path, { headers: { origin: 'https://app.example' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBeNull();
  });
});
