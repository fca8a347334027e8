import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, type RunningEdge } from '../support/edge';

// What only a raw connection can send. One request never becomes two, and an ambiguous request is refused.

let edge: RunningEdge;
let nextSaw: Record<string, unknown>[] = [];
beforeAll(async () => {
  edge = await startEdge({
    nextHandler: (req, res) => {
      nextSaw.push({ url: req.url, ...req.headers });
      res.end('a page');
    },
  });
});
afterAll(() => edge.close());

const answersIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
const hidden = 'GET /v1/credits HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\n\r\n';
const post = (headers: string, body: string) =>
  `POST /v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

describe('smuggling', () => {
  it.each([
    [
      'Content-Length and Transfer-Encoding',
      post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`),
    ],
    [
      'Transfer-Encoding and Content-Length',
      post('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${hidden}`),
    ],
    ['two different Content-Lengths', post('Content-Length: 2\r\nContent-Length: 60', `{}${hidden}`)],
    ['two equal Content-Lengths', post('Content-Length: 2\r\nContent-Length: 2', `{}${hidden}`)],
    ['a list of Content-Lengths', post('Content-Length: 2, 60', `{}${hidden}`)],
    ['a negative Content-Length', post('Content-Length: -2', `{}${hidden}`)],
    ['a Content-Length with a sign', post('Content-Length: +2', `{}${hidden}`)],
    ['a hexadecimal Content-Length', post('Content-Length: 0x2', `{}${hidden}`)],
    ['chunked twice', post('Transfer-Encoding: chunked, chunked', `0\r\n\r\n${hidden}`)],
    ['chunked that is not last', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`)],
    ['a disguised Transfer-Encoding', post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`)],
    ['blank before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`)],
    ['a folded header', post('X-A: b\r\n c\r\nContent-Length: 2', `{}${hidden}`)],
    ['a bad chunk size', post('Transfer-Encoding: chunked', `zz\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ['a chunk longer than it says', post('Transfer-Encoding: chunked', `1\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ['bare line feeds', post('Content-Length: 2', `{}${hidden}`).replaceAll('\r\n', '\n')],
    ['a NUL in a header', post('X-A: a\u0000b\r\nContent-Length: 2', `{}${hidden}`)],
  ])('by %s is refused and the connection closed', async (_what, text) => {
    const answer = await edge.raw(text);
    expect(answersIn(answer).length).toBeLessThanOrEqual(1);
    for (const line of answersIn(answer)) expect(line).toMatch(/ 400$/);
    expect(answer).not.toContain('"credits"');
  });

  it('the test detects smuggling: the same bytes in order are two answers', async () => {
    const answer = await edge.raw(post('Content-Length: 2', `{}${hidden}`));
    expect(answersIn(answer)).toEqual(['HTTP/1.1 202', 'HTTP/1.1 200']);
    expect(answer).toContain('"credits"');
  });
});

describe('an invalid request', () => {
  it.each([
    [
      'an absolute target',
      'GET http://169.254.169.254/v1/models HTTP/1.1\r\nHost: x\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['an absolute https target', 'GET https://x/ HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['two Hosts', 'GET /v1/models HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'malformed_request'],
    ['two equal Hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['no Host', 'GET /v1/models HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['CONNECT', 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', 'BREW /v1/models HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['data that is not HTTP', '\u0016\u0003\u0001 hello\r\n\r\n', 400, 'malformed_request'],
    [
      'headers over 16 KiB',
      `GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['a path in two slashes', 'GET //169.254.169.254/ HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_path'],
    ['a backslash', 'GET /v1\\videos HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_path'],
    ['a parent path below /_next', 'GET /_next/../console/api/keys HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_path'],
    [
      'an encoded parent path below /_next',
      'GET /_next/%2e%2e/console/api/keys HTTP/1.1\r\nHost: x\r\n\r\n',
      400,
      'invalid_path',
    ],
    ['a parent path', 'GET /console/../v1/videos HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_path'],
  ])('(%s) is answered in the shape of our errors', async (_what, text, status, code) => {
    const answer = await edge.raw(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^x-request-id: req_/m);
    expect(head).toMatch(/^x-content-type-options: nosniff/m);
    expect(JSON.parse(body)).toMatchObject({ error: { code } });
    expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(body.length);
  });

  it('HTTP/1.0 without Host is served', async () => {
    expect(await edge.raw('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('an upgrade', () => {
  const upgrade = (target: string, to = 'websocket') =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${to}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

  it.each([
    ['/v1/audio/transcriptions/ws?token=secret', 404, 'route_not_found'],
    ['/v1/audio/speech/ws', 404, 'route_not_found'],
    ['/nothing', 404, 'route_not_found'],
    ['/__proto__', 404, 'route_not_found'],
    ['/_next/hmr', 404, 'route_not_found'],
    ['http://169.254.169.254/', 400, 'malformed_request'],
  ])('of %s is answered %d and closed', async (target, status, code) => {
    const answer = await edge.raw(upgrade(target), 2_000);
    expect(answersIn(answer)).toEqual([`HTTP/1.1 ${status}`]);
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).toContain('connection: close');
  });

  it('to anything but a WebSocket is answered as if it were absent, including the body', async () => {
    expect(await edge.raw(upgrade('/livez', 'h2c'))).toMatch(/^HTTP\/1\.1 200 /);
    const body = '{"model":"m"}';
    const text = post(
      `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: ${body.length}`,
      '',
    );
    const before = edge.submissions.length;
    const answer = await edge.raw([`${text}${body.slice(0, 5)}`, body.slice(5)]);
    expect(answersIn(answer)).toEqual(['HTTP/1.1 202']);
    expect(edge.submissions.slice(before)).toMatchObject([{ body: { model: 'm' } }]);
  });

  it('to anything but a WebSocket ends its connection with its answer, whatever follows it', async () => {
    const answer = await edge.raw(Array.from({ length: 50 }, () => upgrade('/livez', 'h2c')).join('') + hidden);
    expect(answersIn(answer)).toEqual(['HTTP/1.1 200']);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).not.toContain('"credits"');
  });

  it.each(['websocket', 'h2c'])(
    'to %s behind a request that waits for its answer is refused after that answer',
    async (to) => {
      await expectRefusedAfterAnswer(upgrade('/v1/audio/speech/ws', to));
    },
  );
});

describe('a tunnel', () => {
  const tunnel = 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n';

  it('is refused', async () => {
    expect(answersIn(await edge.raw(tunnel, 2_000))).toEqual(['HTTP/1.1 400']);
  });

  it('behind a request that waits for its answer is refused after that answer', async () => {
    await expectRefusedAfterAnswer(tunnel);
  });
});

/** Sends these bytes behind a request whose answer they must not precede. */
async function expectRefusedAfterAnswer(text: string): Promise<void> {
  const { credits } = edge.gateway.accounts;
  let answerNow = () => {};
  const asked = new Promise<void>((resolve) => {
    Object.assign(edge.gateway.accounts, {
      credits: async (...args: Parameters<typeof credits>) => {
        resolve();
        await new Promise<void>((release) => (answerNow = release));
        return credits(...args);
      },
    });
  });
  try {
    const all = edge.raw(hidden + text, 2_000);
    await asked;
    await new Promise((resolve) => setTimeout(resolve, 50));
    answerNow();
    const answer = await all;
    expect(answersIn(answer)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(answer.indexOf('"object":"credits"')).toBeLessThan(answer.indexOf('HTTP/1.1 400'));
  } finally {
    Object.assign(edge.gateway.accounts, { credits });
  }
}

describe('a body', () => {
  const large = 40 * 1024 * 1024;

  it('that is refused gets no 100 Continue, and the answer can be read', async () => {
    const refused = await edge.raw(
      `POST /v1/videos HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\nExpect: 100-continue\r\n\r\n`,
      500,
    );
    expect(answersIn(refused)).toEqual(['HTTP/1.1 401']);
    expect(refused.toLowerCase()).toContain('connection: close');
    const tooLarge = await edge.raw(post(`Content-Length: ${large}\r\nExpect: 100-continue`, ''), 500);
    expect(answersIn(tooLarge)).toEqual(['HTTP/1.1 413']);
  });

  it('that is wanted gets 100 Continue', async () => {
    const socket = await edge.connect();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(post('Content-Length: 2\r\nExpect: 100-continue', ''));
    await expect.poll(() => text).toContain('100 Continue');
    socket.write('{}');
    await expect.poll(() => text).toContain('HTTP/1.1 202');
    socket.destroy();
  });

  it('that is too large is answered while it is still sent', async () => {
    const answer = await edge.raw([post(`Content-Length: ${large}`, ''), 'x'.repeat(200_000)], 500);
    expect(answersIn(answer)).toEqual(['HTTP/1.1 413']);
    expect(answer).toContain('request_too_large');
    const chunked = await edge.raw(
      [
        post('Transfer-Encoding: chunked', ''),
        ...Array.from({ length: 40 }, () => `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`),
      ],
      1_000,
    );
    expect(answersIn(chunked)).toEqual(['HTTP/1.1 413']);
  });

  it('that is unread and small leaves the connection usable for the next request', async () => {
    const answer = await edge.raw(`POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello${hidden}`);
    expect(answersIn(answer)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });
});

describe('a request to Next', () => {
  it('has neither its internal headers nor an address that the caller invented', async () => {
    nextSaw = [];
    await edge.fetch('/console/keys?x=1', {
      headers: {
        'x-middleware-subrequest': 'middleware',
        'X-Middleware-Next': '1',
        'x-forwarded-for': '9.9.9.9',
        'x-patchbay-peer': 'proof 9.9.9.9',
        'x-kept': '1',
      },
    });
    expect(nextSaw).toHaveLength(1);
    expect(nextSaw[0]).toMatchObject({ url: '/console/keys?x=1', 'x-kept': '1', 'x-forwarded-for': '127.0.0.1' });
    expect(nextSaw[0]?.['x-patchbay-peer']).toMatch(/^[0-9a-f]{32} 127\.0\.0\.1$/);
    expect(Object.keys(nextSaw[0] ?? {}).filter((name) => name.startsWith('x-middleware'))).toEqual([]);
  });

  it('is never one below /v1 or /internal, in any spelling', async () => {
    nextSaw = [];
    for (const path of [
      '/v1',
      '/v1/x',
      '/%76%31/videos',
      '/internal/x',
      '/v1%2fvideos',
      '//console',
      '/v1/../console',
      '/console/..%2fv1',
    ])
      await edge.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(nextSaw).toEqual([]);
  });
});
