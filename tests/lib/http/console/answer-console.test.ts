import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActiveSignIn } from '../../../../lib/accounts/accounts';
import type { AuditPageJson } from '../../../../lib/contract/activity';
import type { Role } from '../../../../lib/domain/caller';
import { createHangUp } from '../../../../lib/io/hang-up';
import { answerConsole } from '../../../../lib/http/console/answer-console';
import type { ConsoleEndpoint } from '../../../../lib/http/console/console-route';
import * as accountEndpoints from '../../../../lib/http/console/endpoints';
import * as jobsEndpoints from '../../../../lib/http/console/jobs-endpoints';
import { auditLogEndpoint } from '../../../../lib/http/console/sign-in-endpoints';
import type { GatewayResponse } from '../../../../lib/http/request-context';
import { gatewayRequest } from '../../../../lib/http/to-web';
import { checkAnswer } from '../../../support/check-answers';
import { makeGateway, type TestGateway } from '../../../support/gateway';

const { parseVideoSearch: _, ...videoEndpoints } = jobsEndpoints;
const endpoints = { ...accountEndpoints, ...videoEndpoints };

let house: TestGateway;
let owner: ActiveSignIn;

beforeAll(async () => {
  house = await makeGateway();
  const { email, password } = house.firstRun.owner;
  const person = await house.gateway.accounts.verifyPassword(email, password);
  if (!person) throw new Error('The owner of the first run could not sign in.');
  owner = (await house.gateway.accounts.findSignIn(await house.gateway.accounts.beginSignIn(person)))!;
});
afterAll(() => house.close());

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: string;
  readonly id?: string;
  readonly as?: ActiveSignIn | Role | 'nobody';
  readonly signedInMsAgo?: number;
}

const SAME_ORIGIN = { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };

async function ask(
  endpoint: ConsoleEndpoint,
  { method = 'GET', headers = SAME_ORIGIN, body, query = '', id, as = 'owner', signedInMsAgo = 0 }: Ask = {},
) {
  const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  let judgedByCookie = false;
  const response = await answerConsole(
    house.gateway,
    endpoint,
    {
      pattern: '/console/api/test',
      params: id === undefined ? {} : { id },
      request: {
        method,
        path: '/console/api/test',
        query: new URLSearchParams(query),
        headers: { ...typed, ...headers },
        remoteAddress: '127.0.0.1',
        hangUp: createHangUp(),
        readBody: async () => bytes,
      },
    },
    async () => {
      judgedByCookie = true;
      if (as === 'nobody') return undefined;
      const person = typeof as === 'string' ? { ...owner, role: as } : as;
      return { ...person, signedInAtMs: house.clock.nowMs() - signedInMsAgo };
    },
  );
  return { ...read(response), judgedByCookie };
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly param: string | null };
  };
}

function read({ status, headers, body }: GatewayResponse): Answered {
  return { status, headers, json: JSON.parse(typeof body === 'string' && body ? body : '{}') as Answered['json'] }; // Safe: only read below.
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Every route of the management surface, as method, endpoint and body. */
const ROUTES: readonly {
  name: string;
  method: string;
  endpoint: ConsoleEndpoint;
  body?: unknown;
  id?: string;
  secret?: true;
}[] = [
  { name: 'GET keys', method: 'GET', endpoint: endpoints.keysEndpoint },
  { name: 'POST keys', method: 'POST', endpoint: endpoints.keysEndpoint, body: { name: 'x', mode: 'test' } },
  { name: 'PATCH keys/{id}', method: 'PATCH', endpoint: endpoints.keyEndpoint, body: { name: 'x' }, id: 'key_x' },
  { name: 'DELETE keys/{id}', method: 'DELETE', endpoint: endpoints.keyEndpoint, id: 'key_x' },
  { name: 'POST keys/{id}/rotate', method: 'POST', endpoint: endpoints.keyRotationEndpoint, id: 'key_x' },
  { name: 'GET webhook-secret', method: 'GET', endpoint: endpoints.webhookSecretEndpoint, secret: true },
  { name: 'POST webhook-secret/rotate', method: 'POST', endpoint: endpoints.webhookSecretRotationEndpoint },
  { name: 'GET webhook-deliveries', method: 'GET', endpoint: endpoints.webhookDeliveriesEndpoint },
  {
    name: 'POST webhook-deliveries/{id}/resend',
    method: 'POST',
    endpoint: endpoints.webhookResendEndpoint,
    id: 'msg_x',
  },
  { name: 'GET videos', method: 'GET', endpoint: endpoints.videosEndpoint },
  { name: 'GET videos/{id}', method: 'GET', endpoint: endpoints.videoEndpoint, id: 'video_x' },
  { name: 'DELETE videos/{id}', method: 'DELETE', endpoint: endpoints.videoEndpoint, id: 'video_x' },
  { name: 'POST videos/{id}/cancel', method: 'POST', endpoint: endpoints.videoCancelEndpoint, id: 'video_x' },
  { name: 'GET credits', method: 'GET', endpoint: endpoints.creditsEndpoint },
  { name: 'GET credits/transfers', method: 'GET', endpoint: endpoints.creditTransfersEndpoint },
  { name: 'POST credits/refill', method: 'POST', endpoint: endpoints.creditsRefillEndpoint },
];
const changing = ROUTES.filter(({ method }) => method !== 'GET');

test('the tables above name every endpoint', () => {
  const named = new Set([
    ...ROUTES.map(({ endpoint }) => endpoint),
    endpoints.signUpEndpoint,
    endpoints.signOutEverywhereEndpoint,
    endpoints.passwordEndpoint,
    endpoints.noEndpoint,
    endpoints.socketTicketsEndpoint,
  ]);
  expect(Object.values(endpoints).filter((endpoint) => !named.has(endpoint))).toEqual([]);
  expect(ROUTES).toHaveLength(16);
});

describe('who may', () => {
  test.each(ROUTES)('$name is 401 for somebody who is not signed in', async (route) => {
    const { status, json } = await ask(route.endpoint, { ...route, as: 'nobody' });
    expect([status, json.error?.code]).toEqual([401, 'not_signed_in']);
  });

  test.each(ROUTES)('$name as a viewer: looking is allowed, changing and secrets are not', async (route) => {
    const { status, json } = await ask(route.endpoint, { ...route, as: 'viewer' });
    if (route.method === 'GET' && !route.secret) expect(status).toBe(route.id === undefined ? 200 : 404);
    else expect([status, json.error?.code]).toEqual([403, 'role_required']);
  });

  test.each(ROUTES.flatMap((route) => (['owner', 'admin', 'developer'] as const).map((role) => ({ ...route, role }))))(
    '$name is open to the role $role',
    async ({ role, ...route }) => {
      const { status, json } = await ask(route.endpoint, { ...route, as: role });
      const path = `/console/api/${route.name.split(' ')[1]}`;
      checkAnswer({ method: route.method, path, status, text: JSON.stringify(json) });
      // An id that does not exist shows that the request got as far as the use case.
      expect(status).toBe(
        route.id === undefined ? (route.method === 'POST' && route.name !== 'POST credits/refill' ? 201 : 200) : 404,
      );
    },
  );
});

describe('when', () => {
  const guarded = ROUTES.filter(({ method, endpoint }) => {
    const route = endpoint[method as keyof ConsoleEndpoint];
    return route !== undefined && 'fresh' in route && route.fresh;
  });

  test('making, rotating and showing a secret want a fresh sign-in', () => {
    expect(guarded.map(({ name }) => name)).toEqual([
      'POST keys',
      'POST keys/{id}/rotate',
      'GET webhook-secret',
      'POST webhook-secret/rotate',
    ]);
  });

  test.each(guarded)('$name ten minutes after signing in is 403 until the person signs in again', async (route) => {
    const { status, json } = await ask(route.endpoint, { ...route, signedInMsAgo: 10 * 60_000 + 1 });
    expect([status, json.error?.code]).toEqual([403, 'reauthentication_required']);
    expect((await ask(route.endpoint, { ...route, signedInMsAgo: 10 * 60_000 })).status).not.toBe(403);
  });

  test.each(ROUTES.filter((route) => !guarded.includes(route)))('$name needs none', async (route) => {
    expect((await ask(route.endpoint, { ...route, signedInMsAgo: 86_400_000 })).status).not.toBe(403);
  });

  test('a change that allows a key more wants a fresh sign-in, one that allows it less does not', async () => {
    const made = await ask(endpoints.keysEndpoint, {
      method: 'POST',
      body: { name: 'Narrow', mode: 'live', allowed_models: ['a', 'b'], expires_at: '2030-01-01T00:00:00Z' },
    });
    const patch = (body: object, signedInMsAgo: number) =>
      ask(endpoints.keyEndpoint, { method: 'PATCH', id: String(made.json.id), body, signedInMsAgo });
    for (const body of [{ scopes: ['inference', 'manage'] }, { allowed_models: null }, { expires_at: null }]) {
      const { status, json } = await patch(body, 10 * 60_000 + 1);
      expect([status, json.error?.code]).toEqual([403, 'reauthentication_required']);
    }
    expect((await patch({ allowed_models: ['a'], name: 'Narrower' }, 86_400_000)).status).toBe(200);
    expect((await patch({ allowed_models: null }, 10 * 60_000)).status).toBe(200);
  });

  test('setting a password wants a fresh sign-in', async () => {
    const { status, json } = await ask(endpoints.passwordEndpoint, {
      method: 'POST',
      body: { password: 'long enough' },
      signedInMsAgo: 10 * 60_000 + 1,
    });
    expect([status, json.error?.code]).toEqual([403, 'reauthentication_required']);
  });

  test('a key is a secret itself and needs no sign-in', async () => {
    expect(
      (await ask(endpoints.webhookSecretEndpoint, { headers: bearer(house.firstRun.keys.live), as: 'nobody' })).status,
    ).toBe(200);
  });
});

describe('from another site', () => {
  test.each(['cross-site', 'same-site'])(
    'a link (%s) reveals no secret and leaves no trace that it did',
    async (site) => {
      const audit = async () => (await ask(auditLogEndpoint)).json;
      const before = await audit();
      const { status, json } = await ask(endpoints.webhookSecretEndpoint, { headers: { 'sec-fetch-site': site } });
      expect([status, json.error?.code]).toEqual([403, 'cross_origin']);
      expect(await audit()).toEqual(before);
      expect((await ask(endpoints.creditsEndpoint, { headers: { 'sec-fetch-site': site } })).status).toBe(200);
    },
  );

  test('no page may embed an answer', async () => {
    expect((await ask(endpoints.creditsEndpoint)).headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

describe('a caller who leaves', () => {
  test('in the middle of the body is no failure of ours', async () => {
    const request = new Request('http://127.0.0.1:3000/console/api/keys', {
      method: 'POST',
      headers: { ...SAME_ORIGIN, 'content-type': 'application/json' },
      body: new ReadableStream({
        pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
      }),
      duplex: 'half',
    } as RequestInit);
    const arrival = { pattern: '/console/api/keys', params: {}, request: gatewayRequest(request, house.gateway) };
    const before = house.log.lines.length;
    await answerConsole(house.gateway, endpoints.keysEndpoint, arrival, async () => ({
      ...owner,
      signedInAtMs: house.clock.nowMs(),
    }));
    const lines = house.log.lines.slice(before);
    expect(lines.map(({ level }) => level)).toEqual(['info']);
    expect(JSON.stringify(lines)).not.toContain('database_unavailable');
  });
});

describe('the audit log', () => {
  test('tells who did what to which key, newest first and page by page', async () => {
    const made = await ask(endpoints.keysEndpoint, { method: 'POST', body: { name: 'Audited', mode: 'test' } });
    const id = String(made.json.id);
    await ask(endpoints.keyEndpoint, { method: 'PATCH', id, body: { name: 'Audited again' } });
    await ask(endpoints.keyEndpoint, { method: 'DELETE', id });
    await ask(endpoints.webhookSecretEndpoint, { headers: bearer(house.firstRun.keys.live), as: 'nobody' });
    const read = async (query: string) => (await ask(auditLogEndpoint, { query })).json as unknown as AuditPageJson;
    // The clock stands still here, so entries of one moment may stand in any order.
    const all = await read('limit=100');
    const mine = all.data.filter(({ target }) => target === id);
    expect(mine.map(({ action }) => action).sort()).toEqual(['key.changed', 'key.created', 'key.revoked']);
    expect(mine[0]?.actor).toEqual({ type: 'person', id: owner.userId, email: owner.email });
    expect(all.data).toContainEqual(
      expect.objectContaining({
        action: 'webhook_secret.revealed',
        target: null,
        actor: { type: 'key', id: expect.stringMatching(/^key_/) },
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
        await house.gateway.operator.transfer({
          kind,
          mode: 'test',
          amount,
          reference: `audited-${kind}`,
          reason: 'For the log',
        })
      ).transfer;
    const transfer = await make('grant', '3');
    const back = await make('adjust', '-3');
    const { data } = (await ask(auditLogEndpoint, { query: 'limit=100' })).json as unknown as AuditPageJson;
    expect(data).toContainEqual({
      id: expect.stringMatching(/^audit_/) as string,
      object: 'audit_entry',
      actor: { type: 'operator' },
      action: 'credits.granted',
      target: transfer.id,
      at: transfer.created_at,
    });
    expect((await ask(endpoints.creditTransfersEndpoint, { as: 'viewer', query: 'mode=test' })).json).toEqual({
      object: 'list',
      data: expect.arrayContaining([transfer, back]) as unknown,
      has_more: false,
    });
    expect((await ask(endpoints.creditTransfersEndpoint)).json).toEqual({ object: 'list', data: [], has_more: false });
    expect((await ask(endpoints.creditTransfersEndpoint, { as: 'nobody' })).status).toBe(401);
    for (const query of ['limit=0', 'limit=101', 'after=tr_0', 'mode=both'])
      expect((await ask(endpoints.creditTransfersEndpoint, { query })).status).toBe(400);
  });

  test('says nothing of what was refused, and no secret', async () => {
    const before = (await ask(auditLogEndpoint)).json as unknown as AuditPageJson;
    await ask(endpoints.keysEndpoint, { method: 'POST', body: { name: '', mode: 'test' } });
    const after = (await ask(auditLogEndpoint)).json as unknown as AuditPageJson;
    expect(after.data).toEqual(before.data);
    expect(JSON.stringify(after)).not.toMatch(/pb_|whsec_/);
  });

  test.each(['developer', 'viewer'] as const)('is not for a %s', async (role) => {
    expect((await ask(auditLogEndpoint, { as: role })).status).toBe(403);
  });

  test('refuses a page that it does not have', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=audit_0'])
      expect((await ask(auditLogEndpoint, { query })).status).toBe(400);
  });
});

describe('a suspended organisation', () => {
  test('can be read and not changed', async () => {
    await house.db.query('update organizations set suspended_at = now() where id = $1', [owner.orgId]);
    const as = await house.gateway.accounts.findSignIn(await house.gateway.accounts.beginSignIn(owner));
    await house.db.query('update organizations set suspended_at = null where id = $1', [owner.orgId]);
    if (!as) throw new Error('The sign-in has ended.');
    expect((await ask(endpoints.keysEndpoint, { as })).status).toBe(200);
    const { status, json } = await ask(endpoints.keysEndpoint, {
      method: 'POST',
      body: { name: 'x', mode: 'test' },
      as,
    });
    expect([status, json.error?.code]).toEqual([403, 'organization_suspended']);
  });
});

describe('from where', () => {
  test.each(changing)('$name with a sign-in from another origin is 403', async (route) => {
    const foreign = { origin: 'https://evil.example', host: '127.0.0.1:3000', 'sec-fetch-site': 'cross-site' };
    const { status, json, judgedByCookie } = await ask(route.endpoint, { ...route, headers: foreign });
    expect([status, json.error?.code]).toEqual([403, 'cross_origin']);
    expect(judgedByCookie).toBe(false);
  });

  test.each(changing)('$name with a sign-in and without an Origin is 403', async (route) => {
    const { json } = await ask(route.endpoint, { ...route, headers: { host: '127.0.0.1:3000' } });
    expect(json.error?.code).toBe('cross_origin');
  });

  test('a body that is no JSON, as a form of another site could send it, is 415', async () => {
    const { status } = await ask(endpoints.keysEndpoint, {
      method: 'POST',
      headers: { ...SAME_ORIGIN, 'content-type': 'text/plain' },
      body: '{"name":"x","mode":"test"}',
    });
    expect(status).toBe(415);
  });
});

describe('keys', () => {
  test('a live key with the scope manage manages, from anywhere and without a cookie', async () => {
    const { status, json, judgedByCookie } = await ask(endpoints.keysEndpoint, {
      headers: bearer(house.firstRun.keys.live),
      as: 'nobody',
    });
    expect(status).toBe(200);
    expect(json.object).toBe('list');
    expect(judgedByCookie).toBe(false);
  });

  test('a live key acts with its role and changes nothing of itself', async () => {
    const made = await ask(endpoints.keysEndpoint, {
      method: 'POST',
      body: { name: 'CI', mode: 'live', scopes: ['manage'], allowed_models: ['a'] },
    });
    const headers = bearer(String(made.json.key));
    const changed = await ask(endpoints.keyEndpoint, {
      method: 'PATCH',
      id: String(made.json.id),
      body: { allowed_models: null },
      headers,
    });
    expect([changed.status, changed.json.error?.code]).toEqual([403, 'role_required']);
    await house.db.query("update api_keys set role = 'developer' where id = $1", [made.json.id]);
    expect((await ask(auditLogEndpoint, { headers })).status).toBe(403);
    expect((await ask(endpoints.keysEndpoint, { headers })).status).toBe(200);
    await house.db.query("update members set role = 'viewer' where user_id = $1", [owner.userId]);
    const looked = await ask(endpoints.creditsRefillEndpoint, { method: 'POST', headers });
    await house.db.query("update members set role = 'owner' where user_id = $1", [owner.userId]);
    expect([looked.status, looked.json.error?.code]).toEqual([403, 'role_required']);
  });

  test('a test key is 403, even beside the cookie of an owner', async () => {
    const { status, json } = await ask(endpoints.keysEndpoint, {
      headers: { ...SAME_ORIGIN, ...bearer(house.firstRun.keys.test) },
    });
    expect([status, json.error?.code]).toEqual([403, 'scope_required']);
  });

  test('a live key without the scope is 403', async () => {
    const made = await ask(endpoints.keysEndpoint, { method: 'POST', body: { name: 'plain', mode: 'live' } });
    const { json } = await ask(endpoints.keysEndpoint, { headers: bearer(String(made.json.key)) });
    expect(json.error?.code).toBe('scope_required');
  });

  test('a key that does not exist is 401, even beside the cookie of an owner', async () => {
    const { status, json } = await ask(endpoints.keysEndpoint, {
      headers: { ...SAME_ORIGIN, ...bearer('pb_live_nonsense') },
    });
    expect([status, json.error?.code]).toEqual([401, 'invalid_api_key']);
  });

  test('a key is no person: it cannot sign anybody out and sets no password', async () => {
    for (const endpoint of [endpoints.signOutEverywhereEndpoint, endpoints.passwordEndpoint]) {
      const { status } = await ask(endpoint, {
        method: 'POST',
        headers: bearer(house.firstRun.keys.live),
        body: { password: 'long enough' },
      });
      expect(status).toBe(403);
    }
  });

  test('made, listed, renamed, rotated and revoked; the key itself is in no answer but its own', async () => {
    const made = await ask(endpoints.keysEndpoint, { method: 'POST', body: { name: 'CI', mode: 'test' } });
    expect(made.status).toBe(201);
    expect(made.json.key).toMatch(/^pb_test_[0-9A-Za-z]{36}$/);
    const id = String(made.json.id);
    expect((await ask(endpoints.keyEndpoint, { method: 'PATCH', id, body: { name: 'CI 2' } })).json.name).toBe('CI 2');
    const rotated = await ask(endpoints.keyRotationEndpoint, { method: 'POST', id, body: { overlap_seconds: 60 } });
    expect(rotated.json.rotated_from).toBe(id);
    expect((await ask(endpoints.keyEndpoint, { method: 'DELETE', id })).json.status).toBe('revoked');
    const listed = JSON.stringify((await ask(endpoints.keysEndpoint)).json);
    expect(listed).toContain(id);
    expect(listed).not.toContain(String(made.json.key));
    expect(listed).not.toContain(String(rotated.json.key));
  });
});

describe('answers', () => {
  test('every answer carries its request id and is not stored, errors as well', async () => {
    for (const as of ['owner', 'nobody'] as const) {
      const { headers } = await ask(endpoints.creditsEndpoint, {
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

  test('credits are those of the asked mode, live when none is asked', async () => {
    expect((await ask(endpoints.creditsEndpoint)).json).toMatchObject({
      object: 'credits',
      mode: 'live',
      available: '25',
    });
    expect((await ask(endpoints.creditsEndpoint, { query: 'mode=test' })).json).toMatchObject({
      mode: 'test',
      available: '1000',
    });
    const wrong = await ask(endpoints.creditsEndpoint, { query: 'mode=both' });
    expect([wrong.status, wrong.json.error?.param]).toEqual([400, 'mode']);
  });

  test('a method that a path does not take is 405 and says which it takes', async () => {
    const { status, headers } = await ask(endpoints.keysEndpoint, { method: 'PUT', body: {} });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, POST, HEAD');
  });

  test('a path that is none is 404', async () => {
    expect((await ask(endpoints.noEndpoint)).json.error?.code).toBe('route_not_found');
  });

  test('a second sign-up is refused', async () => {
    const { status, json } = await ask(endpoints.signUpEndpoint, {
      method: 'POST',
      as: 'nobody',
      body: { email: 'eve@example.com', password: 'long enough 1' },
    });
    expect([status, json.error?.code]).toEqual([403, 'role_required']);
  });

  test('signing out everywhere ends the sign-ins of the person', async () => {
    expect((await ask(endpoints.signOutEverywhereEndpoint, { method: 'POST', as: owner })).status).toBe(204);
    expect(await house.gateway.accounts.findSignIn(owner.signInId)).toBeUndefined();
  });
});
