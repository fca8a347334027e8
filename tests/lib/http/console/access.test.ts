import type { Readable } from 'node:stream';
import { text as streamText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTION_GROUPS, actionWords } from '../../../../app/console/audit/audit-words';
import type { Membership, SignedIn } from '../../../../lib/accounts/accounts';
import type { AuditEntryJson, AuditPageJson } from '../../../../lib/contract/audit';
import type { KeyListJson } from '../../../../lib/contract/keys';
import type { Role } from '../../../../lib/domain/caller';
import { newId } from '../../../../lib/domain/ids';
import { answer } from '../../../../lib/http/endpoint';
import type { GatewayResponse } from '../../../../lib/http/request-context';
import { findDestination, routeTable } from '../../../../lib/http/routes';
import { gatewayRequest } from '../../../../lib/http/to-web';
import { makeMember } from '../../accounts/make-accounts';
import { checkAnswer } from '../../../support/check-answers';
import { makeGateway, type TestGateway } from '../../../support/gateway';
import { findSignedIn, signedIn } from '../../../support/signed-in';

let testGateway: TestGateway;
let owner: SignedIn;

beforeAll(async () => {
  testGateway = await makeGateway();
  const { email, password } = testGateway.firstRun.owner;
  const person = await testGateway.gateway.accounts.verifyPassword(email, password);
  if (!person) throw new Error('The owner of the first run could not sign in.');
  owner = await findSignedIn(testGateway.gateway.accounts, await testGateway.gateway.accounts.beginSignIn(person));
});
afterAll(() => testGateway.close());

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: string;
  readonly id?: string;
  readonly as?: SignedIn | Role | 'anonymous';
  readonly signedInMsAgo?: number;
}

const SAME_ORIGIN = { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };

/** Sends a request to the path below `/console/api`, with the cookie of `as`. */
async function ask(
  route: string,
  { method = 'GET', headers = SAME_ORIGIN, body, query = '', id = '', as = 'owner', signedInMsAgo = 0 }: Ask = {},
) {
  const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  const path = `/console/api/${route.replace('{id}', id)}`;
  let checkedCookie = false;
  const gateway = signedIn(testGateway.gateway, () => {
    checkedCookie = true;
    if (as === 'anonymous') return undefined;
    const person = typeof as === 'string' ? { ...owner, role: as } : as;
    return { ...person, signedInAtMs: testGateway.clock.nowMs() - signedInMsAgo };
  });
  const response = await answer(
    gateway,
    {
      method,
      path,
      query: new URLSearchParams(query),
      headers: { host: '127.0.0.1:3000', ...typed, ...headers },
      remoteAddress: '127.0.0.1',
      signal: new AbortController().signal,
      abort: () => {},
      countBody: () => {},
      readBody: async () => bytes,
    },
    findDestination(path),
  );
  return { ...(await read(response)), checkedCookie };
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly type: string; readonly param: string | null };
  };
}

async function readText(body: Buffer | Readable): Promise<string> {
  return Buffer.isBuffer(body) ? body.toString() : streamText(body);
}

async function read({ status, headers, body }: GatewayResponse): Promise<Answered> {
  const text = typeof body === 'string' ? body : body === undefined ? '' : await readText(body);
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return { status, headers, text, json: JSON.parse(isJson && text ? text : '{}') as Answered['json'] }; // Safe: only read below.
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

interface TestedRoute {
  readonly method: string;
  /** The path below `/console/api`. */
  readonly path: string;
  readonly body?: unknown;
  readonly id?: string;
  readonly secret?: true;
}

/** The routes whose access is tested below, each with a request that is valid except for its id. */
const ROUTES: readonly (TestedRoute & { readonly name: string })[] = (
  [
    { method: 'GET', path: 'keys' },
    { method: 'POST', path: 'keys', body: { name: 'x', mode: 'test' } },
    { method: 'PATCH', path: 'keys/{id}', body: { name: 'x' }, id: 'key_x' },
    { method: 'DELETE', path: 'keys/{id}', id: 'key_x' },
    { method: 'GET', path: 'keys/{id}/limits', id: 'key_x' },
    { method: 'POST', path: 'keys/{id}/rotate', id: 'key_x' },
    { method: 'GET', path: 'webhook-secret', secret: true },
    { method: 'POST', path: 'webhook-secret/rotate' },
    { method: 'GET', path: 'webhook-deliveries' },
    { method: 'POST', path: 'webhook-deliveries/{id}/resend', id: 'msg_x' },
    { method: 'GET', path: 'webhook-receivers' },
    { method: 'GET', path: 'webhook-endpoints' },
    { method: 'POST', path: 'webhook-endpoints', body: { url: 'https://hooks.example.com/' } },
    { method: 'PATCH', path: 'webhook-endpoints/{id}', body: { paused: true }, id: 'endpoint_x' },
    { method: 'DELETE', path: 'webhook-endpoints/{id}', id: 'endpoint_x' },
    { method: 'GET', path: 'webhook-endpoints/{id}/secret', id: 'endpoint_x', secret: true },
    { method: 'POST', path: 'webhook-endpoints/{id}/rotate', id: 'endpoint_x' },
    { method: 'POST', path: 'webhook-endpoints/{id}/test', id: 'endpoint_x' },
    { method: 'GET', path: 'videos' },
    { method: 'GET', path: 'videos/{id}', id: 'video_x' },
    { method: 'DELETE', path: 'videos/{id}', id: 'video_x' },
    { method: 'POST', path: 'videos/{id}/cancel', id: 'video_x' },
    { method: 'GET', path: 'credits' },
    { method: 'GET', path: 'credits/transfers' },
    { method: 'POST', path: 'credits/refill' },
    { method: 'GET', path: 'usage' },
    { method: 'GET', path: 'usage/performance' },
    { method: 'GET', path: 'ledger' },
    { method: 'GET', path: 'alerts' },
    { method: 'GET', path: 'models' },
    { method: 'GET', path: 'requests' },
    { method: 'GET', path: 'messages/{id}', id: 'msg_x' },
    { method: 'GET', path: 'messages/{id}/content', id: 'msg_x' },
    { method: 'GET', path: 'sessions/{id}', id: 'session_x' },
    { method: 'GET', path: 'search' },
    { method: 'GET', path: 'activity' },
    { method: 'GET', path: 'provider-credentials' },
    { method: 'GET', path: 'members' },
    { method: 'GET', path: 'organization' },
  ] satisfies readonly TestedRoute[]
).map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

/** The routes with tests of their own, here or in the file of their handler. */
const OTHERS = [
  'DELETE alerts/{id}',
  'DELETE provider-credentials/{id}',
  'DELETE projects/{id}',
  'GET policies/organization',
  'GET projects',
  'GET projects/{id}',
  'PATCH policies/organization',
  'PATCH projects/{id}',
  'POST policies/simulate',
  'POST projects',
  'DELETE videos/{id}/favorite',
  'GET audit-entries',
  'GET providers',
  'GET statements/{month}',
  'GET videos/{id}/content',
  'GET videos/{id}/request',
  'PATCH alerts/{id}',
  'POST alerts',
  'DELETE members/{id}',
  'DELETE invitations/{id}',
  'GET invitations',
  'GET organizations',
  'PATCH members/{id}',
  'POST invitations',
  'POST invitations/accept',
  'POST invitations/open',
  'POST invitations/sign-up',
  'POST invitations/{id}/resend',
  'POST members/leave',
  'POST members/{id}/transfer-ownership',
  'POST messages',
  'DELETE organization/deletion',
  'PATCH organization',
  'POST organization/deletion',
  'POST organizations',
  'POST messages/count_tokens',
  'POST password',
  'POST provider-credentials',
  'POST provider-credentials/{id}/verify',
  'POST quotes',
  'POST sign-in-links',
  'POST sign-out-everywhere',
  'POST sign-up',
  'POST socket-tickets',
  'POST videos',
  'POST videos/{id}/favorite',
  'POST webhook-deliveries/resend',
];

/** Only for people who operate the installation; see "the installation" below. */
const INSTALLATION = [
  { name: 'DELETE installation/operators/{id}', fresh: true },
  { name: 'GET installation/audit-entries' },
  { name: 'GET installation/operators' },
  { name: 'GET installation/organizations' },
  { name: 'GET installation/organizations/{id}' },
  { name: 'GET installation/organizations/{id}/support' },
  { name: 'GET installation/providers' },
  { name: 'GET installation/status' },
  { name: 'GET installation/transfers' },
  { name: 'POST installation/operators', fresh: true },
  { name: 'POST installation/organizations', fresh: true },
  { name: 'POST installation/organizations/{id}/invitations', fresh: true },
  { name: 'POST installation/organizations/{id}/resume', fresh: true },
  { name: 'POST installation/organizations/{id}/suspend', fresh: true },
  { name: 'POST installation/providers/verify' },
  { name: 'POST installation/transfers', fresh: true },
];

const consoleRoutes = routeTable.endpoints
  .flatMap(({ routes }) => Object.values(routes))
  .filter(({ pattern }) => pattern.startsWith('/console/api/'))
  .map((route) => ({
    name: `${route.method} ${route.pattern.replace('/console/api/', '').replace(/:(\w+)/g, '{$1}')}`,
    method: route.method,
    path: route.pattern.replace('/console/api/', '').replace(/:\w+/g, 'x'),
    access: route.access,
    audit: 'audit' in route ? route.audit : undefined,
    fresh: 'fresh' in route,
  }));

/**
 * The weakest role that may call each route, for those that not every role may call. Written by hand: this is the matrix
 * of docs/management.md, not the table of the code.
 */
const MIN_ROLES: Readonly<Record<Exclude<Role, 'viewer'>, readonly string[]>> = {
  developer: [
    'POST keys',
    'PATCH keys/{id}',
    'DELETE keys/{id}',
    'POST keys/{id}/rotate',
    'GET webhook-secret',
    'POST webhook-secret/rotate',
    'POST webhook-deliveries/{id}/resend',
    'POST webhook-deliveries/resend',
    'POST webhook-endpoints',
    'PATCH webhook-endpoints/{id}',
    'DELETE webhook-endpoints/{id}',
    'GET webhook-endpoints/{id}/secret',
    'POST webhook-endpoints/{id}/rotate',
    'POST webhook-endpoints/{id}/test',
    'POST videos',
    'DELETE videos/{id}',
    'POST videos/{id}/cancel',
    'POST messages',
    'POST messages/count_tokens',
    'POST credits/refill',
    'POST socket-tickets',
  ],
  admin: [
    'POST projects',
    'PATCH projects/{id}',
    'DELETE projects/{id}',
    'PATCH policies/organization',
    'GET providers',
    'GET audit-entries',
    'POST provider-credentials',
    'DELETE provider-credentials/{id}',
    'POST provider-credentials/{id}/verify',
    'POST alerts',
    'PATCH alerts/{id}',
    'DELETE alerts/{id}',
    'PATCH members/{id}',
    'DELETE members/{id}',
    'GET invitations',
    'POST invitations',
    'DELETE invitations/{id}',
    'POST invitations/{id}/resend',
    'PATCH organization',
  ],
  owner: ['POST members/{id}/transfer-ownership', 'POST organization/deletion', 'DELETE organization/deletion'],
};
const changing = ROUTES.filter(({ method }) => method !== 'GET');

test('the lists above name every route', () => {
  const named = [...ROUTES, ...INSTALLATION].map(({ name }) => name).concat(OTHERS);
  expect(named.toSorted()).toEqual(consoleRoutes.map(({ name }) => name).toSorted());
});

describe('roles', () => {
  test.each(ROUTES)('$name is 401 without a sign-in', async (route) => {
    const { status, json } = await ask(route.path, { ...route, as: 'anonymous' });
    expect([status, json.error?.code]).toEqual([401, 'not_signed_in']);
  });

  test.each(ROUTES)('$name as a viewer: reading is allowed, changing and secrets are not', async (route) => {
    const { status, json } = await ask(route.path, { ...route, as: 'viewer' });
    if (route.method === 'GET' && !route.secret) expect(status).toBe(route.id === undefined ? 200 : 404);
    else expect([status, json.error?.code]).toEqual([403, 'role_required']);
  });

  test.each(ROUTES.flatMap((route) => (['owner', 'admin', 'developer'] as const).map((role) => ({ ...route, role }))))(
    '$name is open to the role $role',
    async ({ role, ...route }) => {
      const { status, json } = await ask(route.path, { ...route, as: role });
      checkAnswer({ method: route.method, path: `/console/api/${route.path}`, status, text: JSON.stringify(json) });
      // An id that does not exist shows that the request got as far as the use case.
      expect(status).toBe(
        route.id === undefined ? (route.method === 'POST' && route.name !== 'POST credits/refill' ? 201 : 200) : 404,
      );
    },
  );
});

describe('the matrix of roles', () => {
  const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const;
  const leastOf = (name: string): Role =>
    ROLES.find((role) => role !== 'viewer' && MIN_ROLES[role].includes(name)) ?? 'viewer';
  const members = consoleRoutes.filter(({ access }) => access === 'member' || access === 'editor');

  test('names existing routes, each once', () => {
    const named = Object.values(MIN_ROLES).flat();
    expect(new Set(named).size).toBe(named.length);
    expect(named.filter((name) => !members.some((route) => route.name === name))).toEqual([]);
  });

  test.each(members.flatMap((route) => ROLES.map((role) => ({ ...route, role }))))(
    '$name as $role',
    async ({ name, method, path, role }) => {
      // A valid id or body is not needed: the role is checked first, so that a refusal tells nothing else.
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const { status, json } = await ask(path, { method, body, as: role });
      const isAllowed = ROLES.indexOf(role) >= ROLES.indexOf(leastOf(name));
      if (isAllowed) expect(status, JSON.stringify(json)).not.toBe(403);
      else expect([status, json.error?.code]).toEqual([403, 'role_required']);
    },
  );

  test('a person who belongs to no organisation may create one, and nothing else of an organisation', async () => {
    const nobody: SignedIn = { ...owner, memberships: [] };
    expect((await ask('organizations', { as: nobody })).json).toEqual({ object: 'list', data: [] });
    expect((await ask('organizations', { method: 'POST', body: {}, as: nobody })).status).toBe(400);
  });
});

describe('the organisation of a change', () => {
  const other: Membership = { orgId: newId('org'), orgName: 'Other', orgSuspended: false, role: 'owner' };
  const both = (): SignedIn => ({ ...owner, memberships: [...owner.memberships, other] });

  test('must be named by a person of several organisations, who may have chosen another one since', async () => {
    const unnamed = await ask('credits/refill', { method: 'POST', as: both() });
    expect([unnamed.status, unnamed.json.error?.code]).toEqual([400, 'missing_required_parameter']);
    expect((await ask('webhook-secret', { as: both() })).status).toBe(400);
    const headers = { ...SAME_ORIGIN, 'patchbay-organization': owner.orgId };
    expect((await ask('credits/refill', { method: 'POST', as: both(), headers })).status).toBe(200);
    expect((await ask('credits', { as: both() })).status).toBe(200);
    expect((await ask('credits/refill', { method: 'POST' })).status).toBe(200);
  });
});

describe('a fresh sign-in', () => {
  const guarded = ROUTES.filter(({ name }) => consoleRoutes.some((route) => route.name === name && route.fresh));

  test('is required to make a key, to rotate it and to show a secret', () => {
    expect(guarded.map(({ name }) => name)).toEqual([
      'POST keys',
      'POST keys/{id}/rotate',
      'GET webhook-secret',
      'POST webhook-secret/rotate',
      'GET webhook-endpoints/{id}/secret',
      'POST webhook-endpoints/{id}/rotate',
    ]);
  });

  test.each(guarded)('$name ten minutes after signing in is 403 until the user signs in again', async (route) => {
    const { status, json } = await ask(route.path, { ...route, signedInMsAgo: 10 * 60_000 + 1 });
    expect([status, json.error?.code]).toEqual([403, 'reauthentication_required']);
    expect((await ask(route.path, { ...route, signedInMsAgo: 10 * 60_000 })).status).not.toBe(403);
  });

  test.each(ROUTES.filter((route) => !guarded.includes(route)))('$name needs none', async (route) => {
    expect((await ask(route.path, { ...route, signedInMsAgo: 86_400_000 })).status).not.toBe(403);
  });

  test('is required by a change that adds rights to a key, not by one that removes them', async () => {
    const made = await ask('keys', {
      method: 'POST',
      body: { name: 'Narrow', mode: 'live', allowed_models: ['a', 'b'], expires_at: '2030-01-01T00:00:00Z' },
    });
    const patch = (body: object, signedInMsAgo: number) =>
      ask('keys/{id}', { method: 'PATCH', id: String(made.json.id), body, signedInMsAgo });
    for (const body of [{ scopes: ['inference', 'manage'] }, { allowed_models: null }, { expires_at: null }]) {
      const { status, json } = await patch(body, 10 * 60_000 + 1);
      expect([status, json.error?.code]).toEqual([403, 'reauthentication_required']);
    }
    expect((await patch({ allowed_models: ['a'], name: 'Narrower' }, 86_400_000)).status).toBe(200);
    expect((await patch({ allowed_models: null }, 10 * 60_000)).status).toBe(200);
  });

  test('is required to set a password', async () => {
    const { status, json } = await ask('password', {
      method: 'POST',
      body: { password: 'long enough' },
      signedInMsAgo: 10 * 60_000 + 1,
    });
    expect([status, json.error?.code]).toEqual([403, 'reauthentication_required']);
  });

  test('is not required of a key, which is a secret itself', async () => {
    expect(
      (await ask('webhook-secret', { headers: bearer(testGateway.firstRun.keys.live), as: 'anonymous' })).status,
    ).toBe(200);
  });
});

describe('a request from another site', () => {
  test.each(['cross-site', 'same-site'])(
    'a link (%s) reveals no secret and leaves no trace that it did',
    async (site) => {
      const audit = async () => (await ask('audit-entries')).json;
      const before = await audit();
      const { status, json } = await ask('webhook-secret', { headers: { 'sec-fetch-site': site } });
      expect([status, json.error?.code]).toEqual([403, 'cross_origin']);
      expect(await audit()).toEqual(before);
      expect((await ask('credits', { headers: { 'sec-fetch-site': site } })).status).toBe(200);
    },
  );

  test('no page may embed an answer', async () => {
    expect((await ask('credits')).headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

describe('a client that disconnects', () => {
  test('in the middle of the body causes no error of ours', async () => {
    const request = new Request('http://127.0.0.1:3000/console/api/keys', {
      method: 'POST',
      headers: { ...SAME_ORIGIN, 'content-type': 'application/json' },
      body: new ReadableStream({
        pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
      }),
      duplex: 'half',
    } as RequestInit);
    const received = gatewayRequest(request, testGateway.gateway);
    const before = testGateway.log.lines.length;
    const gateway = signedIn(testGateway.gateway, () => ({ ...owner, signedInAtMs: testGateway.clock.nowMs() }));
    await answer(gateway, received, findDestination(received.path));
    const lines = testGateway.log.lines.slice(before);
    expect(lines.map(({ level }) => level)).toEqual(['info']);
    expect(JSON.stringify(lines)).not.toContain('database_unavailable');
  });
});

describe('the providers', () => {
  test.each(['owner', 'admin'] as const)('are shown to an %s as npm run providers shows them', async (role) => {
    const { status, json } = await ask('providers', { as: role });
    expect([status, json]).toEqual([200, testGateway.gateway.operator.providers.list()]);
    expect(json.data).toContainEqual(
      expect.objectContaining({
        id: 'kling',
        offered: false,
        reason: expect.stringContaining('KLING_API_KEY') as string,
      }),
    );
  });

  test('are shown to a key that may manage', async () => {
    const made = await ask('keys', { method: 'POST', body: { name: 'Reads', mode: 'live', scopes: ['manage'] } });
    const { status } = await ask('providers', { headers: bearer(String(made.json.key)), as: 'anonymous' });
    expect(status).toBe(200);
  });

  test.each(['developer', 'viewer'] as const)('are not for a %s', async (role) => {
    const { status, json } = await ask('providers', { as: role });
    expect([status, json.error?.code]).toEqual([403, 'role_required']);
  });
});

describe('the audit log', () => {
  test('contains who did what to which key, newest first and page by page', async () => {
    const made = await ask('keys', { method: 'POST', body: { name: 'Audited', mode: 'test' } });
    const id = String(made.json.id);
    await ask('keys/{id}', { method: 'PATCH', id, body: { name: 'Audited again' } });
    await ask('keys/{id}', { method: 'DELETE', id });
    await ask('webhook-secret', { headers: bearer(testGateway.firstRun.keys.live), as: 'anonymous' });
    const read = async (query: string) => (await ask('audit-entries', { query })).json as unknown as AuditPageJson;
    // The clock stands still here, so entries of one moment may have any order.
    const all = await read('limit=100');
    const mine = all.data.filter(({ target }) => target === id);
    expect(mine.map(({ action }) => action).sort()).toEqual(['key.changed', 'key.created', 'key.revoked']);
    expect(mine[0]?.actor).toEqual({ type: 'person', id: owner.userId, email: owner.email });
    expect(all.data).toContainEqual(
      expect.objectContaining({
        action: 'webhook_secret.revealed',
        target: null,
        actor: { type: 'key', id: expect.stringMatching(/^key_/), name: 'First live key' },
        address: '127.0.0.1',
      }),
    );

    const pages: string[] = [];
    for (let after = ''; ;) {
      const page = await read(`limit=2${after && `&after=${after}`}`);
      pages.push(...page.data.map((entry) => entry.id));
      if (!page.has_more) break;
      after = pages.at(-1) ?? '';
    }
    expect(pages).toEqual(all.data.map((entry) => entry.id));
  });

  test('names the operator, whose transfers every member can read', async () => {
    const make = async (kind: 'grant' | 'adjust', amount: string) =>
      (
        await testGateway.gateway.operator.transfer({
          kind,
          mode: 'test',
          amount,
          reference: `audited-${kind}`,
          reason: 'For the log',
        })
      ).transfer;
    const transfer = await make('grant', '3');
    const back = await make('adjust', '-3');
    const { data } = (await ask('audit-entries', { query: 'limit=100' })).json as unknown as AuditPageJson;
    expect(data).toContainEqual({
      id: expect.stringMatching(/^audit_/) as string,
      object: 'audit_entry',
      actor: { type: 'operator' },
      action: 'credits.granted',
      target: transfer.id,
      target_name: null,
      detail: `${transfer.mode} $3: ${transfer.reason}`,
      address: null,
      at: transfer.created_at,
    });
    expect((await ask('credits/transfers', { as: 'viewer', query: 'mode=test' })).json).toEqual({
      object: 'list',
      data: expect.arrayContaining([transfer, back]) as unknown,
      has_more: false,
    });
    expect((await ask('credits/transfers')).json).toEqual({ object: 'list', data: [], has_more: false });
    expect((await ask('credits/transfers', { as: 'anonymous' })).status).toBe(401);
    for (const query of ['limit=0', 'limit=101', 'after=tr_0', 'mode=both'])
      expect((await ask('credits/transfers', { query })).status).toBe(400);
  });

  test('contains neither refused requests nor secrets', async () => {
    const before = (await ask('audit-entries')).json as unknown as AuditPageJson;
    await ask('keys', { method: 'POST', body: { name: '', mode: 'test' } });
    const after = (await ask('audit-entries')).json as unknown as AuditPageJson;
    expect(after.data).toEqual(before.data);
    expect(JSON.stringify(after)).not.toMatch(/pb_|whsec_/);
  });

  test.each(['developer', 'viewer'] as const)('is not for a %s', async (role) => {
    expect((await ask('audit-entries', { as: role })).status).toBe(403);
  });

  test('is filtered by person, key, operator, action and time', async () => {
    const keys = (await ask('keys')).json as unknown as KeyListJson;
    const live = keys.data.find(({ name }) => name === 'First live key')?.id ?? '';
    const nowSeconds = Math.floor(testGateway.clock.nowMs() / 1000);
    const read = async (query: string) =>
      ((await ask('audit-entries', { query: `limit=100&${query}` })).json as unknown as AuditPageJson).data;
    const byPerson = await read(`actor=${owner.userId}`);
    expect(byPerson.length).toBeGreaterThan(0);
    expect(byPerson.every(({ actor }) => actor.type === 'person' && actor.id === owner.userId)).toBe(true);
    expect((await read(`actor=${live}`)).map(({ action }) => action)).toContain('webhook_secret.revealed');
    expect(new Set((await read('actor=operator')).map(({ actor }) => actor.type))).toEqual(new Set(['operator']));
    expect(new Set((await read('action=key')).map(({ action }) => action.split('.')[0]))).toEqual(new Set(['key']));
    expect(new Set((await read('action=key.created')).map(({ action }) => action))).toEqual(new Set(['key.created']));
    expect(await read('action=ke')).toEqual([]);
    expect(await read('action=key_')).toEqual([]);
    expect(await read(`created_to=${nowSeconds}`)).toEqual([]);
    expect((await read(`created_from=${nowSeconds}&created_to=${nowSeconds + 1}`)).length).toBeGreaterThan(0);
    expect(await read(`actor=${newId('user')}`)).toEqual([]);
  });

  test('is a table for spreadsheets too, in which no name is a formula', async () => {
    const made = await ask('keys', { method: 'POST', body: { name: '=1+1', mode: 'test' } });
    const { status, headers, text } = await ask('audit-entries', { query: 'format=csv&action=key.created' });
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="patchbay-audit-log.csv"',
    ]);
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('at,actor_type,actor,actor_id,action,target,target_name,detail,address,id');
    const line = lines.find((each) => each.includes(String(made.json.id)));
    expect(line).toContain(
      `,person,${owner.email},${owner.userId},key.created,${String(made.json.id)},'=1+1,,127.0.0.1,`,
    );
    const all = (await ask('audit-entries', { query: 'limit=100&action=key.created' }))
      .json as unknown as AuditPageJson;
    expect(lines.filter((each) => each !== '')).toHaveLength(all.data.length + 1);
    expect((await ask('audit-entries', { query: 'format=csv', as: 'developer' })).status).toBe(403);
  });

  test('has the former and the new role of a member', async () => {
    const { userId } = await makeMember(testGateway.db, testGateway.clock, owner.orgId, 'viewer');
    await ask('members/{id}', { method: 'PATCH', id: userId, body: { role: 'developer' } });
    await ask('members/{id}', { method: 'DELETE', id: userId });
    const read = async () =>
      ((await ask('audit-entries', { query: 'action=member' })).json as unknown as AuditPageJson).data;
    expect(await read()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'member.role_changed',
          target: userId,
          detail: `${userId}@example.com: viewer → developer`,
        }),
        expect.objectContaining({ action: 'member.removed', target: userId, detail: `${userId}@example.com` }),
      ]) as unknown as AuditEntryJson[],
    );
  });

  test('has an entry for every route that changes something for others, except requests, which have a log of their own', () => {
    // The acts of operators are recorded by their functions, in the organisation that they concern.
    const changing = consoleRoutes.filter(
      ({ method, access }) => method !== 'GET' && access !== 'stranger' && access !== 'installation',
    );
    expect(changing.filter(({ audit }) => audit === undefined).map(({ name }) => name)).toEqual([
      'POST videos/{id}/favorite',
      'DELETE videos/{id}/favorite',
      'POST messages',
      'POST messages/count_tokens',
      'POST quotes',
      'POST policies/simulate',
      'POST socket-tickets',
    ]);
  });

  test('has words for every action', () => {
    const actions = [
      ...consoleRoutes.flatMap(({ audit }) => audit ?? []),
      'credits.granted',
      'limits.changed',
      'organization.suspended',
      'organization.resumed',
      'organization.viewed',
    ];
    expect(actions.filter((action) => actionWords(action) === action)).toEqual([]);
    expect(actions.filter((action) => !ACTION_GROUPS.some(([group]) => action.startsWith(`${group}.`)))).toEqual([]);
  });

  test('refuses an unknown page', async () => {
    for (const query of ['actor=me', 'action=Key', 'action=a.b.c', 'created_from=x', 'format=xml'])
      expect((await ask('audit-entries', { query })).status).toBe(400);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=audit_0'])
      expect((await ask('audit-entries', { query })).status).toBe(400);
  });
});

describe('the installation', () => {
  const routes = INSTALLATION.map(({ name, fresh }) => {
    const [method = '', path = ''] = name.split(' ');
    const body = method === 'POST' ? {} : undefined;
    return { name, method, path: path.replace('{id}', newId('user')), body, isFresh: fresh === true };
  });
  const operator = (role: Role = 'viewer'): SignedIn => ({ ...owner, role, isOperator: true });
  const noOperator = (role: Role): SignedIn => {
    const { isOperator: _, ...person } = owner;
    return { ...person, role };
  };

  test.each(routes)('$name is 401 without a sign-in', async ({ method, path, body }) => {
    const { status, json } = await ask(path, { method, body, as: 'anonymous' });
    expect([status, json.error?.code]).toEqual([401, 'not_signed_in']);
  });

  test.each(
    routes.flatMap((route) => (['viewer', 'developer', 'admin', 'owner'] as const).map((role) => ({ ...route, role }))),
  )('$name is 403 for the role $role, which is no operator', async ({ method, path, body, role }) => {
    const { status, json } = await ask(path, { method, body, as: noOperator(role) });
    expect([status, json.error?.code]).toEqual([403, 'role_required']);
  });

  test.each(routes)('$name is 403 for a key with the scope manage', async ({ method, path, body }) => {
    const headers = bearer(testGateway.firstRun.keys.live);
    const { status, json } = await ask(path, { method, body, headers, as: operator() });
    expect([status, json.error?.code]).toEqual([403, 'role_required']);
  });

  test.each(routes)(
    '$name is open to an operator, whatever the role and without an organisation',
    async ({ method, path, body }) => {
      for (const as of [operator(), { ...operator(), memberships: [] }])
        expect([200, 201, 400, 404]).toContain((await ask(path, { method, body, as })).status);
    },
  );

  test.each(routes)(
    '$name needs a fresh sign-in if it changes something',
    async ({ name, method, path, body, isFresh }) => {
      const { json } = await ask(path, { method, body, as: operator(), signedInMsAgo: 10 * 60_000 + 1 });
      expect([name, json.error?.code === 'reauthentication_required']).toEqual([name, isFresh]);
    },
  );

  test.each(routes)('$name from another origin is 403', async ({ method, path, body }) => {
    const headers = { origin: 'https://evil.example', host: '127.0.0.1:3000', 'sec-fetch-site': 'cross-site' };
    const { status, json, checkedCookie } = await ask(path, { method, body, headers, as: operator() });
    expect([status, json.error?.code, checkedCookie]).toEqual([403, 'cross_origin', false]);
  });

  test('is no role in an organisation: an operator who is no member reads nothing of it', async () => {
    const as: SignedIn = { ...operator(), memberships: [] };
    expect((await ask('organizations', { as })).json).toEqual({ object: 'list', data: [] });
  });
});

describe('a suspended organisation', () => {
  test('can be read but not changed', async () => {
    await testGateway.db.query('update organizations set suspended_at = now() where id = $1', [owner.orgId]);
    const as = await findSignedIn(testGateway.gateway.accounts, await testGateway.gateway.accounts.beginSignIn(owner));
    await testGateway.db.query('update organizations set suspended_at = null where id = $1', [owner.orgId]);
    expect((await ask('keys', { as })).status).toBe(200);
    const { status, json } = await ask('keys', {
      method: 'POST',
      body: { name: 'x', mode: 'test' },
      as,
    });
    expect([status, json.error?.code]).toEqual([403, 'organization_suspended']);
  });
});

describe('an organisation that is being deleted', () => {
  test('can be read but not changed, and an owner restores it', async () => {
    const settings = (await ask('organization')).json;
    const confirmed = { name: settings.name };
    expect((await ask('organization/deletion', { method: 'POST', body: confirmed, as: 'admin' })).status).toBe(403);
    const asked = await ask('organization/deletion', { method: 'POST', body: confirmed });
    expect([asked.status, typeof asked.json.deletes_at]).toEqual([200, 'number']);
    const as = await findSignedIn(testGateway.gateway.accounts, await testGateway.gateway.accounts.beginSignIn(owner));
    expect((await ask('keys', { as })).status).toBe(200);
    const made = await ask('keys', { method: 'POST', body: { name: 'x', mode: 'test' }, as });
    expect([made.status, made.json.error?.code]).toEqual([403, 'organization_suspended']);
    expect((await ask('organization/deletion', { method: 'DELETE', as: 'admin' })).status).toBe(403);
    const restored = await ask('organization/deletion', { method: 'DELETE', as });
    expect([restored.status, restored.json.deletes_at]).toEqual([200, null]);
    const { data } = (await ask('audit-entries', { query: 'action=organization' })).json as unknown as AuditPageJson;
    const actions = data.map(({ action }) => action).filter((action) => action !== 'organization.changed');
    expect(actions.toSorted()).toEqual(['organization.deletion_requested', 'organization.restored']);
  });
});

describe('cross-origin requests', () => {
  test.each(changing)('$name with a sign-in from another origin is 403', async (route) => {
    const foreign = { origin: 'https://evil.example', host: '127.0.0.1:3000', 'sec-fetch-site': 'cross-site' };
    const { status, json, checkedCookie } = await ask(route.path, { ...route, headers: foreign });
    expect([status, json.error?.code]).toEqual([403, 'cross_origin']);
    expect(checkedCookie).toBe(false);
  });

  test.each(changing)('$name with a sign-in and without an Origin is 403', async (route) => {
    const { json } = await ask(route.path, { ...route, headers: { host: '127.0.0.1:3000' } });
    expect(json.error?.code).toBe('cross_origin');
  });

  test('a body that is not JSON, as a form of another site could send it, is 415', async () => {
    const { status } = await ask('keys', {
      method: 'POST',
      headers: { ...SAME_ORIGIN, 'content-type': 'text/plain' },
      body: '{"name":"x","mode":"test"}',
    });
    expect(status).toBe(415);
  });
});

describe('keys', () => {
  test('a live key with the scope manage manages, from any origin and without a cookie', async () => {
    const { status, json, checkedCookie } = await ask('keys', {
      headers: bearer(testGateway.firstRun.keys.live),
      as: 'anonymous',
    });
    expect(status).toBe(200);
    expect(json.object).toBe('list');
    expect(checkedCookie).toBe(false);
  });

  test('a live key acts with its role and cannot change itself', async () => {
    const made = await ask('keys', {
      method: 'POST',
      body: { name: 'CI', mode: 'live', scopes: ['manage'], allowed_models: ['a'] },
    });
    const headers = bearer(String(made.json.key));
    const changed = await ask('keys/{id}', {
      method: 'PATCH',
      id: String(made.json.id),
      body: { allowed_models: null },
      headers,
    });
    expect([changed.status, changed.json.error?.code]).toEqual([403, 'role_required']);
    await testGateway.db.query("update api_keys set role = 'developer' where id = $1", [made.json.id]);
    expect((await ask('audit-entries', { headers })).status).toBe(403);
    expect((await ask('keys', { headers })).status).toBe(200);
    await testGateway.db.query("update members set role = 'viewer' where user_id = $1", [owner.userId]);
    const looked = await ask('credits/refill', { method: 'POST', headers });
    await testGateway.db.query("update members set role = 'owner' where user_id = $1", [owner.userId]);
    expect([looked.status, looked.json.error?.code]).toEqual([403, 'role_required']);
  });

  test('a test key is 403, even together with the cookie of an owner', async () => {
    const { status, json } = await ask('keys', {
      headers: { ...SAME_ORIGIN, ...bearer(testGateway.firstRun.keys.test) },
    });
    expect([status, json.error?.code]).toEqual([403, 'scope_required']);
  });

  test('a live key without the scope is 403', async () => {
    const made = await ask('keys', { method: 'POST', body: { name: 'plain', mode: 'live' } });
    const { json } = await ask('keys', { headers: bearer(String(made.json.key)) });
    expect(json.error?.code).toBe('scope_required');
  });

  test('a key that does not exist is 401, even together with the cookie of an owner', async () => {
    const { status, json } = await ask('keys', {
      headers: { ...SAME_ORIGIN, ...bearer('pb_live_nonsense') },
    });
    expect([status, json.error?.code]).toEqual([401, 'invalid_api_key']);
  });

  test('a key is not a user: it can sign out no user and sets no password', async () => {
    for (const route of ['sign-out-everywhere', 'password']) {
      const { status } = await ask(route, {
        method: 'POST',
        headers: bearer(testGateway.firstRun.keys.live),
        body: { password: 'long enough' },
      });
      expect(status).toBe(403);
    }
  });

  test('made, listed, renamed, rotated and revoked; the key itself is only in the answer that made it', async () => {
    const made = await ask('keys', { method: 'POST', body: { name: 'CI', mode: 'test' } });
    expect(made.status).toBe(201);
    expect(made.json.key).toMatch(/^pb_test_[0-9A-Za-z]{36}$/);
    const id = String(made.json.id);
    expect((await ask('keys/{id}', { method: 'PATCH', id, body: { name: 'CI 2' } })).json.name).toBe('CI 2');
    const rotated = await ask('keys/{id}/rotate', { method: 'POST', id, body: { overlap_seconds: 60 } });
    expect(rotated.json.rotated_from).toBe(id);
    expect((await ask('keys/{id}', { method: 'DELETE', id })).json.status).toBe('revoked');
    const listed = JSON.stringify((await ask('keys')).json);
    expect(listed).toContain(id);
    expect(listed).not.toContain(String(made.json.key));
    expect(listed).not.toContain(String(rotated.json.key));
  });
});

describe('answers', () => {
  test('every answer carries its request id and is not stored, errors included', async () => {
    for (const as of ['owner', 'anonymous'] as const) {
      const { headers } = await ask('credits', {
        as,
        headers: { ...SAME_ORIGIN, 'x-request-id': 'my-request-1' },
      });
      expect(headers).toMatchObject({
        'x-request-id': 'my-request-1',
        'request-id': 'my-request-1',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test('credits are those of the given mode, live by default', async () => {
    expect((await ask('credits')).json).toMatchObject({
      object: 'credits',
      mode: 'live',
      available: '25',
    });
    expect((await ask('credits', { query: 'mode=test' })).json).toMatchObject({
      mode: 'test',
      available: '1000',
    });
    const wrong = await ask('credits', { query: 'mode=both' });
    expect([wrong.status, wrong.json.error?.param]).toEqual([400, 'mode']);
  });

  test('a method that a path does not support is 405 and lists the supported ones', async () => {
    const { status, headers } = await ask('keys', { method: 'PUT', body: {} });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD, POST');
  });

  test('an unknown path is 404', async () => {
    expect((await ask('nothing')).json.error?.code).toBe('route_not_found');
  });

  test('a second sign-up is refused', async () => {
    const { status, json } = await ask('sign-up', {
      method: 'POST',
      as: 'anonymous',
      body: { email: 'eve@example.com', password: 'long enough 1' },
    });
    expect([status, json.error?.code]).toEqual([403, 'role_required']);
  });

  test('signing out everywhere ends the sign-ins of the user', async () => {
    expect((await ask('sign-out-everywhere', { method: 'POST', as: owner })).status).toBe(204);
    expect(await testGateway.gateway.accounts.findSignIn(owner.signInId)).toBeUndefined();
  });
});
