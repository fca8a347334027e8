import { NextRequest } from 'next/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET, POST } from '../../app/api/auth/[...nextauth]/route';
import { installGateway } from '../../lib/runtime';
import { makeEdge } from '../support/edge';

// What the sign-in routes refuse before next-auth, which reads a body of any length, sees the request. The route itself
// refuses, so this also holds under plain `next start`.

const BASE = 'http://127.0.0.1:3000';
beforeAll(() => installGateway(makeEdge().gateway));
afterAll(() => installGateway(undefined));

const headers = { origin: BASE, host: '127.0.0.1:3000', 'content-type': 'application/json' };
const at = (...nextauth: string[]) => ({ params: Promise.resolve({ nextauth }) });
const post = (init: ConstructorParameters<typeof NextRequest>[1]) =>
  POST(
    new NextRequest(`${BASE}/api/auth/callback/credentials`, { method: 'POST', headers, ...init }),
    at('callback', 'credentials'),
  );
const seen = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

describe('a body of /api/auth', () => {
  it('above 16 KiB by its length is not read at all', async () => {
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void (pulled += 1) }, { highWaterMark: 0 });
    expect(
      await seen(await post({ body, duplex: 'half', headers: { ...headers, 'content-length': '16385' } })),
    ).toEqual([413, 'request_too_large']);
    expect(pulled).toBe(0);
  });

  it('without a length is read to 16 KiB and no further', async () => {
    let bytes = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          bytes += 4096;
          controller.enqueue(new Uint8Array(4096));
        },
      },
      { highWaterMark: 0 },
    );
    expect(await seen(await post({ body, duplex: 'half' }))).toEqual([413, 'request_too_large']);
    expect(bytes).toBeLessThanOrEqual(32 * 1024);
  });

  it('that breaks off, or is not JSON, is 400', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
    });
    expect(await seen(await post({ body, duplex: 'half' }))).toEqual([400, 'malformed_request']);
    expect(await seen(await post({ body: '{' }))).toEqual([400, 'invalid_json']);
  });
});

describe('/api/auth/_log', () => {
  it('is 404: strangers cannot write into the log', async () => {
    const body = JSON.stringify({ level: 'error', code: 'x' });
    expect(
      await seen(await POST(new NextRequest(`${BASE}/api/auth/_log`, { method: 'POST', headers, body }), at('_log'))),
    ).toEqual([404, 'route_not_found']);
    expect(await seen(await GET(new NextRequest(`${BASE}/api/auth/_log`, { headers }), at('_log')))).toEqual([
      404,
      'route_not_found',
    ]);
  });
});
