import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Membership, SignedIn } from '../../lib/accounts/accounts';
import { newId } from '../../lib/domain/ids';
import { routeTable } from '../../lib/http/routes';
import { installGateway } from '../../lib/runtime';
import {
  DONE,
  FOREIGN,
  LIVE_KEY,
  OPERATOR_TOKEN,
  QUEUED,
  startEdge,
  TEST_KEY,
  type RunningEdge,
} from '../support/edge';

// Every endpoint is mounted twice: directly by our server and as a route file of Next. Both must answer the same.

type Handler = (request: Request) => Promise<Response>;
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const app = path.resolve(import.meta.dirname, '../../app');
const found = readdirSync(app, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name === 'route.ts')
  .map((entry) => path.relative(app, path.join(entry.parentPath, entry.name)))
  .filter((file) => !file.startsWith('api/auth'));
/** The same routes for clients whose base URL lacks `/v1`. */
const aliases = found.filter((file) => file.startsWith('messages/'));
const files = found.filter((file) => !aliases.includes(file));

/** `v1/videos/[id]/route.ts` → `/v1/videos/:id` */
function patternOf(file: string): string {
  const folder = path.dirname(file);
  if (folder === '.') return '/';
  return `/${folder.replace(/\[\.\.\.(\w+)\]/g, '*$1').replace(/\[(\w+)\]/g, ':$1')}`;
}
const catchAll = ['/v1/*unknown', '/internal/*unknown', '/console/api/*unknown'];

describe('the route files', () => {
  it('are found', () => expect(files.length).toBeGreaterThanOrEqual(44));

  it('are those of the route table, and the three catch-all routes', () => {
    expect(files.map(patternOf).sort()).toEqual(
      [...routeTable.endpoints.map(({ pattern }) => pattern), ...catchAll].sort(),
    );
  });

  it.each(aliases)('%s mounts the route of the same name below /v1', (file) => {
    expect(readFileSync(path.join(app, file), 'utf8')).toContain(`toWeb('/v1${patternOf(file)}')`);
  });

  it.each(files)('%s mounts the pattern of its path, for every method', async (file) => {
    // Without the line breaks before and after a long argument.
    const text = readFileSync(path.join(app, file), 'utf8').replace(/\(\n\s+('.*'),\n\)/, '($1)');
    const pattern = patternOf(file);
    expect(text).toContain(catchAll.includes(pattern) ? 'toWebUnknown()' : `toWeb('${pattern}')`);
    expect(text).toContain("export const dynamic = 'force-dynamic';");
    const handlers = await handlersOf(pattern);
    for (const method of methods) expect(handlers[method], method).toBeTypeOf('function');
  });
});

async function handlersOf(pattern: string): Promise<Record<Method, Handler>> {
  const file = files.find((each) => patternOf(each) === pattern);
  if (file === undefined) throw new Error(`no route file for ${pattern}`);
  return (await import(pathToFileURL(path.join(app, file)).href)) as Record<Method, Handler>;
}

let edge: RunningEdge;
beforeAll(async () => {
  edge = await startEdge();
  installGateway(edge.gateway);
});
afterAll(async () => {
  installGateway(undefined);
  await edge.close();
});

const signInId = newId('signIn');
const membership: Membership = { orgId: newId('org'), orgName: 'Acme', orgSuspended: false, role: 'owner' };
const person: SignedIn = {
  userId: newId('user'),
  email: 'owner@example.com',
  sessionVersion: 1,
  memberships: [membership],
  ...membership,
  signInId,
  signInOrigin: signInId,
  signedInAtMs: Date.now(),
};

interface Sent {
  readonly path: string;
  readonly method?: Method;
  readonly headers?: Record<string, string>;
  readonly body?: string | FormData;
}

const form = () => {
  const fields = new FormData();
  fields.set('model', 'm');
  fields.set('image_list[]', 'https://example.com/a.png');
  return fields;
};
const key = { authorization: `Bearer ${LIVE_KEY}` };
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const json = { 'content-type': 'application/json' };

const samples: Record<string, string> = {
  '/v1/videos/:id': `/v1/videos/${DONE}`,
  '/v1/videos/:id/cancel': `/v1/videos/${QUEUED}/cancel`,
  '/v1/videos/:id/content': `/v1/videos/${DONE}/content`,
  '/v1/videos/:id/webhook_deliveries': `/v1/videos/${DONE}/webhook_deliveries`,
  '/v1/webhook_deliveries/:id/resend': '/v1/webhook_deliveries/msg_00000000000000000000000000000001/resend',
  '/internal/videos/:id/callback': `/internal/videos/${QUEUED}/callback`,
  '/internal/videos/:id/media/:file': `/internal/videos/${QUEUED}/media/0.png`,
  '/v1/models/*model': '/v1/models/sandbox-t2v',
  '/v1/*unknown': '/v1/nothing/here',
  '/internal/*unknown': '/internal/nothing',
  '/console/api/*unknown': '/console/api/nothing',
};
const patterns = [...routeTable.endpoints.map(({ pattern }) => pattern), ...catchAll];
const everyMethod: Sent[] = patterns.flatMap((pattern) =>
  methods.flatMap((method) =>
    [{}, key, { authorization: 'Bearer wrong' }].map((headers) => ({
      path: samples[pattern] ?? pattern,
      method,
      headers,
    })),
  ),
);

const special: Sent[] = [
  {
    path: '/v1/videos',
    method: 'POST',
    headers: { ...key, ...json, 'idempotency-key': 'k', 'x-stainless-retry-count': '2' },
    body: '{"model":"m","odd":1}',
  },
  { path: '/v1/videos', method: 'POST', headers: key, body: form() },
  { path: '/v1/videos', method: 'POST', headers: { ...key, ...json }, body: '{' },
  { path: '/v1/videos', method: 'POST', headers: { ...key, ...json }, body: '[]' },
  { path: '/v1/videos', method: 'POST', headers: { ...key, 'content-type': 'text/plain' }, body: 'x' },
  { path: '/v1/videos', method: 'POST', headers: { ...key, ...json, 'content-encoding': 'br' }, body: '{}' },
  {
    path: '/v1/videos',
    method: 'POST',
    headers: { ...key, ...json },
    body: JSON.stringify({ prompt: 'x'.repeat(1024 * 1024) }),
  },
  {
    path: '/v1/videos',
    method: 'POST',
    headers: { ...key, ...json },
    body: JSON.stringify({ image_url: `data:${'x'.repeat(36 * 1024 * 1024)}` }),
  },
  { path: '/v1/videos', method: 'POST', headers: { ...key, ...json, 'idempotency-key': 'x'.repeat(256) }, body: '{}' },
  { path: '/v1/messages', method: 'POST', headers: { ...key, ...json }, body: '{"model":"m","odd":1}' },
  {
    path: '/v1/messages?beta=true',
    method: 'POST',
    headers: { 'x-api-key': 'live-key', ...json, 'x-stainless-retry-count': '1' },
    body: '{"stream":true}',
  },
  { path: '/v1/messages', method: 'POST', headers: { ...key, ...json }, body: '{' },
  { path: '/v1/messages', method: 'POST', headers: json, body: '{}' },
  { path: '/v1/v1/messages', method: 'POST', headers: { ...key, ...json }, body: '{"stream":true}' },
  {
    path: '/v1/messages/count_tokens',
    method: 'POST',
    headers: { ...key, ...json, 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a, b' },
    body: '{}',
  },
  { path: '/v1/messages/batches', method: 'POST', headers: { ...key, ...json }, body: '{}' },
  { path: '/v1/videos?limit=7&order=asc', headers: key },
  { path: '/v1/videos?limit=0', headers: key },
  { path: `/v1/videos/${QUEUED}`, headers: { authorization: `Bearer ${TEST_KEY}` } },
  { path: `/v1/videos/${FOREIGN}`, headers: key },
  { path: `/v1/videos/${QUEUED}/content`, headers: key },
  { path: `/v1/videos/${DONE}/content?variant=thumbnail`, headers: key },
  { path: `/v1/videos/${DONE}/content?expires=1&signature=good` },
  { path: `/v1/videos/${DONE}/content?expires=1&signature=bad` },
  ...['bytes=0-9', 'bytes=-9', 'bytes=5000-', 'bytes=0-1,3-4'].flatMap((range) =>
    (['GET', 'HEAD'] as const).map((method) => ({
      path: `/v1/videos/${DONE}/content`,
      method,
      headers: { ...key, range },
    })),
  ),
  ...[{}, { range: 'bytes=0-9' }, { range: 'bytes=5000-' }].flatMap((headers) =>
    (['GET', 'HEAD'] as const).map((method) => ({
      path: `/internal/videos/${QUEUED}/media/0.png?expires=1&signature=good`,
      method,
      headers,
    })),
  ),
  { path: `/v1/videos/${DONE}/content`, headers: { ...key, 'if-none-match': '"file-1"' } },
  { path: '/v1/models?limit=3' },
  { path: '/v1/models?limit=none' },
  { path: '/v1/models', headers: { 'x-api-key': TEST_KEY } },
  { path: '/v1/models', headers: { 'if-none-match': '*' } },
  { path: '/v1/models/sandbox/sandbox-t2v' },
  { path: '/v1/models/sandbox%2Fsandbox-t2v' },
  { path: '/v1/models/sora-2' },
  { path: '/v1/models/a%5cb' },
  {
    path: '/v1/videos',
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': 'authorization, x-stainless-lang, x-other' },
  },
  { path: '/internal/models?type=video' },
  { path: '/internal/operator/organizations?limit=7&after=org_1', headers: operator },
  { path: '/internal/operator/organizations?limit=101', headers: operator },
  { path: '/internal/operator/transfers?mode=test&organization=org_1', headers: operator },
  { path: '/internal/operator/transfers?mode=both', headers: operator },
  { path: '/internal/operator/transfers', method: 'POST', headers: { ...operator, ...json }, body: '{"kind":"grant"}' },
  { path: '/internal/operator/transfers', method: 'POST', headers: { ...operator, ...json }, body: '{"again":true}' },
  {
    path: '/internal/operator/transfers',
    method: 'POST',
    headers: { ...operator, 'content-type': 'text/plain' },
    body: '{}',
  },
  {
    path: '/internal/operator/transfers',
    method: 'POST',
    headers: { ...operator, ...json },
    body: JSON.stringify({ reason: 'x'.repeat(64 * 1024) }),
  },
  { path: '/internal/operator/keys', method: 'POST', headers: { ...operator, ...json }, body: '{"name":"First"}' },
  { path: '/internal/operator/providers', headers: operator },
  { path: '/internal/operator/providers/verify', method: 'POST', headers: operator },
  {
    path: '/internal/operator/providers/verify',
    method: 'POST',
    headers: { ...operator, ...json },
    body: '{"provider":"kling"}',
  },
  { path: '/internal/operator/providers/verify', method: 'POST', headers: { ...operator, ...json }, body: '{"all":1}' },
  { path: '/internal/operator/limits?organization=org_1', headers: operator },
  {
    path: '/internal/operator/limits',
    method: 'PATCH',
    headers: { ...operator, ...json },
    body: '{"limits":{"open_streams":5}}',
  },
  { path: '/v1/credits', headers: operator },
  { path: '/', headers: { accept: 'text/html' } },
  { path: '/?skip=redis' },
  { path: '/v1/credits', headers: { ...key, 'x-request-id': 'my-own-request' } },
];

/** Which route file Next would call; its own router is not under test. */
function mountOf(pathname: string): string {
  const destination = routeTable.find(pathname);
  if (destination.kind === 'route') return destination.endpoint.pattern;
  return catchAll.find((pattern) => pathname.startsWith(pattern.replace('*unknown', ''))) ?? '/v1/*unknown';
}

const VARYING = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'x-catalog-age',
  'ratelimit',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
];

async function observe(response: Response) {
  const headers = Object.fromEntries(response.headers);
  // These vary by connection, by time, with each request, or at random.
  for (const name of VARYING) delete headers[name];
  const text = Buffer.from(await response.arrayBuffer())
    .toString('latin1')
    .replace(/(req|video|org)_[0-9a-f]{32}/g, '$1_…');
  for (const name of ['x-request-id', 'request-id'])
    headers[name] = (headers[name] ?? '').replace(/req_[0-9a-f]{32}/, 'req_…');
  return { status: response.status, headers, text };
}

async function compare({ path: target, method = 'GET', headers = {}, body }: Sent): Promise<{ status: number }> {
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const direct = await observe(await edge.fetch(target, init));
  const { host } = new URL(edge.url);
  const request = new Request(`${edge.url}${target}`, { ...init, headers: { host, ...headers } });
  const handlers = await handlersOf(mountOf(new URL(request.url).pathname));
  const mounted = await observe(await handlers[method](request));
  expect(mounted).toEqual(direct);
  return direct;
}

describe('both mounts answer the same', () => {
  it('to every route with every method, without a key, with one and with a wrong one', async () => {
    const statuses = new Set<number>();
    for (const sent of everyMethod) statuses.add((await compare(sent)).status);
    expect(everyMethod.length).toBe(patterns.length * methods.length * 3);
    expect(statuses).toEqual(new Set([200, 202, 204, 401, 403, 404, 405, 406, 415, 426]));
  });

  it.each(
    special.map(
      (sent) =>
        [`${sent.method ?? 'GET'} ${sent.path} ${JSON.stringify(sent.headers ?? {}).slice(0, 60)}`, sent] as const,
    ),
  )('%s', async (_name, sent) => {
    await compare(sent);
  });

  it('to a signed-in person', async () => {
    edge.person = person;
    const origin = edge.gateway.baseUrl;
    const sent: readonly Sent[] = [
      { path: '/console/api/models' },
      { path: '/console/api/models', method: 'HEAD' },
      { path: '/console/api/credits?mode=test' },
      { path: '/console/api/credits?mode=both' },
      { path: `/console/api/videos/${DONE}` },
      { path: `/console/api/videos/${FOREIGN}` },
      { path: `/console/api/videos/${DONE}/content`, headers: { range: 'bytes=0-9' } },
      { path: '/console/api/videos', method: 'POST', headers: { ...json, origin }, body: '{"model":"m"}' },
      { path: '/console/api/videos', method: 'POST', headers: { ...json, origin }, body: '{' },
      { path: '/console/api/videos', method: 'POST', headers: { ...json, origin: 'https://evil.example' }, body: '{}' },
      { path: '/console/api/videos', method: 'OPTIONS', headers: { origin: 'https://evil.example' } },
    ];
    const statuses: number[] = [];
    for (const each of sent) statuses.push((await compare(each)).status);
    expect(statuses).toEqual([200, 200, 200, 400, 200, 404, 206, 202, 400, 403, 405]);
    edge.person = undefined;
  });

  it('to an error of ours and of the database', async () => {
    for (const error of [new TypeError('x'), Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]) {
      edge.fail = () => {
        throw error;
      };
      expect((await compare({ path: '/v1/credits', headers: key })).status).toBeGreaterThanOrEqual(500);
    }
    edge.fail = undefined;
  });
});

describe('the mount in Next', () => {
  it('does not trust the address that a caller sends', async () => {
    edge.addresses.length = 0;
    const { GET } = await handlersOf('/v1/credits');
    await GET(
      new Request(`${edge.url}/v1/credits`, {
        headers: { ...key, 'x-forwarded-for': '9.9.9.9', 'x-patchbay-peer': 'x 9.9.9.9' },
      }),
    );
    expect(edge.addresses).toEqual(['0.0.0.0']);
  });

  it('cancels the download when its reader disconnects', async () => {
    const { GET } = await handlersOf('/v1/videos/:id/content');
    const { openBody } = edge;
    let closed = false;
    edge.openBody = (part) => {
      const content = openBody(part, new AbortController().signal);
      content.body.once('close', () => (closed = true));
      return content;
    };
    const response = await GET(new Request(`${edge.url}/v1/videos/${DONE}/content`, { headers: key }));
    await response.body?.cancel();
    await expect.poll(() => closed).toBe(true);
    edge.openBody = openBody;
  });
});
