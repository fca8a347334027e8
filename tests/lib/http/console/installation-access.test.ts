import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedIn } from '../../../../lib/accounts/accounts';
import type { Role } from '../../../../lib/domain/caller';
import { newId } from '../../../../lib/domain/ids';
import { bearer, consoleRoutes, openConsoleApi, type ConsoleApi } from '../../../support/console-api';

let testGateway: ConsoleApi['testGateway'];
let owner: ConsoleApi['owner'];
let ask: ConsoleApi['ask'];
beforeAll(async () => {
  ({ testGateway, owner, ask } = await openConsoleApi());
});
afterAll(() => testGateway.close());

/** Only for people who operate the installation. */
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

  test('the list above names every route of it', () => {
    const installation = consoleRoutes.filter(({ access }) => access === 'installation');
    expect(routes.map(({ name }) => name)).toEqual(installation.map(({ name }) => name).toSorted());
  });

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
