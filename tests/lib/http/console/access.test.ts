import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Membership, SignedIn } from '../../../../lib/accounts/accounts';
import type { AuditPageJson } from '../../../../lib/contract/audit';
import type { Role } from '../../../../lib/domain/caller';
import { newId } from '../../../../lib/domain/ids';
import { answer } from '../../../../lib/http/endpoint';
import { routeTable } from '../../../../lib/http/routes';
import { gatewayRequest } from '../../../../lib/http/to-web';
import { checkAnswer } from '../../../support/check-answers';
import { bearer, consoleRoutes, openConsoleApi, SAME_ORIGIN, type ConsoleApi } from '../../../support/console-api';
import { findSignedIn, signedIn } from '../../../support/signed-in';

let testGateway: ConsoleApi['testGateway'];
let owner: ConsoleApi['owner'];
let ask: ConsoleApi['ask'];
beforeAll(async () => {
  ({ testGateway, owner, ask } = await openConsoleApi());
});
afterAll(() => testGateway.close());

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
    { method: 'GET', path: 'sessions/{id}/content', id: 'session_x' },
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
  const named = ROUTES.map(({ name }) => name).concat(OTHERS);
  // Those of the installation have a file of their own.
  const others = consoleRoutes.filter(({ access }) => access !== 'installation');
  expect(named.toSorted()).toEqual(others.map(({ name }) => name).toSorted());
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
    const withoutMemberships: SignedIn = { ...owner, memberships: [] };
    expect((await ask('organizations', { as: withoutMemberships })).json).toEqual({ object: 'list', data: [] });
    expect((await ask('organizations', { method: 'POST', body: {}, as: withoutMemberships })).status).toBe(400);
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
    await answer(gateway, received, routeTable.find(received.path));
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
