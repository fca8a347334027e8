import type { IncomingMessage, ServerResponse } from 'node:http';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, type RunningEdge } from '../support/edge';

// Which requests reach Next, and which are refused before it.

let edge: RunningEdge;
let nextSaw: string[] = [];
const nextHandler = (req: IncomingMessage, res: ServerResponse) => {
  nextSaw.push(`${req.method} ${req.url}`);
  res.end('a page');
};
beforeAll(async () => {
  edge = await startEdge({ nextHandler }, { production: true, allowedHosts: ['patchbay.internal'] });
});
afterAll(() => edge.close());

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
const send = (text: string) => edge.raw(`${text}Connection: close\r\n\r\n`);
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe('the host', () => {
  const ask = (path: string, host: string) => send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`);

  it.each([
    '127.0.0.1',
    '127.0.0.1:3000',
    'localhost:8080',
    'LOCALHOST',
    'app.localhost',
    '[::1]:3000',
    '192.168.1.5:3000',
    'patchbay.internal',
    'Patchbay.Internal.:3000',
  ])('%s opens the console', async (host) => {
    expect(statusOf(await ask('/console', host))).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'xpatchbay.internal',
    'x.patchbay.internal',
    'a@127.0.0.1',
    '127.0.0.1, evil.example',
    'evil.example/localhost',
    '[evil.example]',
    '',
  ])('%j does not: 421, and Next gets no request', async (host) => {
    nextSaw = [];
    for (const path of ['/console', '/console/api/keys', '/api/auth/session', '/_next/static/a.js', '/nothing']) {
      const answer = await ask(path, host);
      expect([path, statusOf(answer)]).toEqual([path, 421]);
      expect(answer).toContain('"code":"wrong_host"');
    }
    expect(nextSaw).toEqual([]);
  });

  it('does not matter for routes that read no cookie: the API and the health checks', async () => {
    for (const path of ['/livez', '/readyz', '/', '/api/hello', '/v1/models', '/internal/models'])
      expect([path, statusOf(await ask(path, 'balancer.example'))]).toEqual([path, 200]);
  });
});

describe('a page', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'takes no %s: 405 with the allowed methods',
    async (method) => {
      nextSaw = [];
      for (const path of ['/console', '/console/keys?x=1', '/_next/static/a.js', '/docs/nothing']) {
        const answer = await send(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`);
        expect(statusOf(answer)).toBe(405);
        expect(answer).toContain('allow: GET, HEAD\r\n');
      }
      expect(nextSaw).toEqual([]);
    },
  );

  it('takes no server action', async () => {
    expect((await edge.fetch('/console', { headers: { 'next-action': 'x' } })).status).toBe(405);
  });

  it.each(['Content-Length: 5', 'Transfer-Encoding: chunked'])('takes no body (%s): 413', async (header) => {
    nextSaw = [];
    const answer = await send(`GET /console HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n`);
    expect([statusOf(answer), answer.includes('"code":"request_too_large"')]).toEqual([413, true]);
    expect(nextSaw).toEqual([]);
  });

  it.each(['/_next/image?url=/x%0Ay&w=64&q=75', '/_next/%69mage?url=/x', '/_next/image/'])(
    'is not %s: the image optimizer is not served',
    async (path) => {
      nextSaw = [];
      expect(await codeOf(await edge.fetch(path))).toBe('route_not_found');
      expect(nextSaw).toEqual([]);
    },
  );
});

describe('a path where there is nothing', () => {
  const paths = ['/nothing', '/v2/videos', '/api/v1/videos', '/V1/videos', '/consoles', '/.env'];
  const page = 'text/html,application/xhtml+xml,*/*;q=0.8';

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'is an error of the API for a program (Accept: %s), which Next does not get',
    async (accept) => {
      nextSaw = [];
      for (const path of paths) {
        const response = await edge.fetch(path, accept === undefined ? {} : { headers: { accept } });
        expect([path, response.status, await codeOf(response)]).toEqual([path, 404, 'route_not_found']);
      }
      expect(nextSaw).toEqual([]);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('is the same error for %s, whatever is accepted', async (method) => {
    nextSaw = [];
    for (const path of paths) {
      const response = await edge.fetch(path, { method, headers: { accept: page } });
      expect([path, response.status, await codeOf(response)]).toEqual([path, 404, 'route_not_found']);
    }
    expect(nextSaw).toEqual([]);
  });

  it('is a page for a browser', async () => {
    nextSaw = [];
    await edge.fetch('/nothing', { headers: { accept: page } });
    expect(nextSaw).toEqual(['GET /nothing']);
  });
});

describe('what Next serves', () => {
  const paths = ['/console', '/docs/videos', '/_next/static/a.js', '/api/auth/session', '/icon.svg'];

  it('reaches it for every Accept', async () => {
    nextSaw = [];
    for (const path of paths) await edge.fetch(path, { headers: { accept: '*/*' } });
    expect(nextSaw).toEqual(paths.map((path) => `GET ${path}`));
  });

  it('includes every folder of pages and every published file', async () => {
    const answered = (await readdir('app', { recursive: true }))
      .filter((file) => /(?:^|\/)page(?:\.dev)?\.tsx$/.test(file))
      .map((file) => `/${file.slice(0, file.indexOf('/'))}`);
    const places = new Set([...answered, ...(await readdir('public')).map((name) => `/${name}`)]);
    nextSaw = [];
    for (const path of places) await edge.fetch(path);
    expect(nextSaw).toEqual([...places].map((path) => `GET ${path}`));
  });
});

describe('the routes below /api/auth', () => {
  it('take bodies and their own methods, and no others', async () => {
    nextSaw = [];
    await edge.fetch('/api/auth/session');
    await edge.fetch('/api/auth/callback/credentials', { method: 'POST', body: '{}' });
    expect(nextSaw).toEqual(['GET /api/auth/session', 'POST /api/auth/callback/credentials']);
    expect(statusOf(await send('DELETE /api/auth/session HTTP/1.1\r\nHost: 127.0.0.1\r\n'))).toBe(405);
  });
});

describe('the routes below /console/api', () => {
  it('are answered without Next, even if there is none', async () => {
    nextSaw = [];
    expect(await codeOf(await edge.fetch('/console/api/keys'))).toBe('not_signed_in');
    expect(await codeOf(await edge.fetch('/console/api/nothing'))).toBe('route_not_found');
    expect(await codeOf(await edge.fetch('/console/api/keys/'))).toBe('route_not_found');
    expect(nextSaw).toEqual([]);
  });

  it.each(['OPTIONS', 'TRACE', 'PUT'])(
    'take no %s: 405 with the allowed methods, and nothing for other origins',
    async (method) => {
      const answer = await send(
        `${method} /console/api/keys HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n`,
      );
      expect(statusOf(answer)).toBe(405);
      expect(answer).toContain('allow: GET, HEAD, POST\r\n');
      expect(answer).not.toContain('access-control-');
    },
  );

  it('are stored by no cache and embedded by no other site, errors included', async () => {
    for (const path of ['/console/api/keys', '/console/api/nothing']) {
      const { headers } = await edge.fetch(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        vary: 'Cookie, Authorization',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });
});

describe('in development', () => {
  it('Next gets the requests of its own overlay', async () => {
    const dev = await startEdge({ nextHandler }, { production: false });
    try {
      nextSaw = [];
      await dev.fetch('/__nextjs_original-stack-frames', { method: 'POST', body: '{}' });
      expect(nextSaw).toEqual(['POST /__nextjs_original-stack-frames']);
      expect((await dev.fetch('/console', { method: 'POST' })).status).toBe(405);
    } finally {
      await dev.close();
    }
  });
});

describe('a path of the API without /v1', () => {
  it.each([
    ['POST', '/videos', '/v1/videos'],
    ['GET', '/videos/video_1', '/v1/videos/{id}'],
    ['GET', '/models', '/v1/models'],
    ['GET', '/models/acme/x', '/v1/models/{model}'],
    ['GET', '/credits', '/v1/credits'],
  ])('%s %s is a 404 in JSON that names %s', async (method, path, right) => {
    const response = await edge.fetch(path, { method });
    expect(response.status).toBe(404);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error).toMatchObject({
      code: 'route_not_found',
      message: `There is nothing at this path. The paths of the API begin with /v1: use ${right}.`,
    });
  });
});

describe('/.well-known/security.txt', () => {
  it('names the contact, the expiry date, and its own URL', async () => {
    const named = await startEdge({}, { securityContact: 'mailto:security@example.com' });
    try {
      const response = await named.fetch('/.well-known/security.txt');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      const [contact, expires = '', canonical] = (await response.text()).split('\n');
      expect([contact, canonical]).toEqual([
        'Contact: mailto:security@example.com',
        'Canonical: http://127.0.0.1:3000/.well-known/security.txt',
      ]);
      const leftDays = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000;
      expect(leftDays).toBeGreaterThan(30);
      expect(leftDays).toBeLessThan(365);
    } finally {
      await named.close();
    }
  });

  it('without a contact is a 404 that says how to set one', async () => {
    const response = await edge.fetch('/.well-known/security.txt');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('SECURITY_CONTACT');
  });
});
