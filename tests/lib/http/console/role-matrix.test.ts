import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedIn } from '../../../../lib/accounts/accounts';
import type { Role } from '../../../../lib/domain/caller';
import { answer } from '../../../../lib/http/endpoint';
import { findDestination, routeTable } from '../../../../lib/http/routes';
import { makeGateway, type TestGateway } from '../../../support/gateway';
import { findSignedIn, signedIn } from '../../../support/signed-in';

// Every endpoint of an organisation in the console's API, asked by a member of each role: whoever is below the role of
// this list is refused by the server before it looks at the request, and nobody else is refused for the role.

const LEAST: Readonly<Record<Role, readonly string[]>> = {
  viewer: [
    'GET keys',
    'GET keys/:id/limits',
    'GET provider-credentials',
    'GET webhook-deliveries',
    'GET webhook-receivers',
    'GET webhook-endpoints',
    'GET videos',
    'GET videos/:id',
    'GET videos/:id/request',
    'GET videos/:id/content',
    // A mark of the person.
    'POST videos/:id/favorite',
    'DELETE videos/:id/favorite',
    'GET requests',
    'GET messages/:id',
    'GET messages/:id/content',
    'GET sessions/:id',
    // A question about a price.
    'POST quotes',
    'GET models',
    'GET search',
    'GET activity',
    'GET credits',
    'GET credits/transfers',
    'GET usage',
    'GET usage/performance',
    'GET ledger',
    'GET statements/:month',
    'GET projects',
    'GET projects/:id',
    'GET policies/organization',
    // A question about a request.
    'POST policies/simulate',
    'GET alerts',
    'GET members',
    'POST members/leave',
    'GET organization',
  ],
  developer: [
    'POST keys',
    'PATCH keys/:id',
    'DELETE keys/:id',
    'POST keys/:id/rotate',
    'GET webhook-secret',
    'POST webhook-secret/rotate',
    'POST webhook-deliveries/resend',
    'POST webhook-deliveries/:id/resend',
    'POST webhook-endpoints',
    'PATCH webhook-endpoints/:id',
    'DELETE webhook-endpoints/:id',
    'GET webhook-endpoints/:id/secret',
    'POST webhook-endpoints/:id/rotate',
    'POST webhook-endpoints/:id/test',
    'POST videos',
    'DELETE videos/:id',
    'POST videos/:id/cancel',
    'POST messages',
    'POST messages/count_tokens',
    'POST credits/refill',
    'POST socket-tickets',
  ],
  admin: [
    'POST provider-credentials',
    'POST provider-credentials/:id/verify',
    'DELETE provider-credentials/:id',
    'POST projects',
    'PATCH projects/:id',
    'DELETE projects/:id',
    'PATCH policies/organization',
    'POST alerts',
    'PATCH alerts/:id',
    'DELETE alerts/:id',
    'GET audit-entries',
    'GET providers',
    'PATCH members/:id',
    'DELETE members/:id',
    'GET invitations',
    'POST invitations',
    'DELETE invitations/:id',
    'POST invitations/:id/resend',
    'PATCH organization',
  ],
  owner: ['POST members/:id/transfer-ownership', 'POST organization/deletion', 'DELETE organization/deletion'],
};
const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const satisfies readonly Role[];
const PREFIX = '/console/api/';

const guarded = routeTable.endpoints.flatMap(({ pattern, routes }) =>
  !pattern.startsWith(PREFIX)
    ? []
    : Object.entries(routes).flatMap(([method, route]) =>
        route.access === 'member' || route.access === 'editor' ? [`${method} ${pattern.slice(PREFIX.length)}`] : [],
      ),
);

let test: TestGateway;
let people: Readonly<Record<Role, SignedIn>>;
beforeAll(async () => {
  test = await makeGateway({ config: { role: 'web' } });
  const { accounts, invitations } = test.gateway;
  const signIn = async (email: string, password: string) => {
    const person = await accounts.verifyPassword(email, password);
    if (!person) throw new Error(`${email} could not sign in.`);
    return findSignedIn(accounts, await accounts.beginSignIn(person));
  };
  const { email, password } = test.firstRun.owner;
  const owner = await signIn(email, password);
  const join = async (role: Exclude<Role, 'owner'>) => {
    const { link } = await invitations.create(owner, { role });
    const account = { email: `${role}@example.com`, name: role, password: `the password of the ${role}` };
    await invitations.signUp({ ...account, token: new URL(link).hash.slice(1) }, '127.0.0.1');
    return signIn(account.email, account.password);
  };
  people = { owner, admin: await join('admin'), developer: await join('developer'), viewer: await join('viewer') };
});
afterAll(() => test.close());

/** The error code of the response to a request whose id does not exist and whose body is wrong. */
async function askAs(role: Role, method: string, pattern: string): Promise<unknown> {
  const path = `${PREFIX}${pattern.replace(':id', 'none_x').replace(':month', '2026-01')}`;
  const origin = new URL(test.gateway.baseUrl);
  const body = method === 'GET' || method === 'DELETE' ? Buffer.alloc(0) : Buffer.from('{"nonsense":true}');
  const response = await answer(
    signedIn(test.gateway, () => ({ ...people[role], signedInAtMs: test.clock.nowMs() })),
    {
      method,
      path,
      query: new URLSearchParams(),
      headers: {
        host: origin.host,
        origin: origin.origin,
        'sec-fetch-site': 'same-origin',
        ...(body.length > 0 && { 'content-type': 'application/json' }),
      },
      remoteAddress: '127.0.0.1',
      signal: new AbortController().signal,
      abort: () => {},
      countBody: () => {},
      readBody: async () => body,
    },
    findDestination(path),
  );
  const text = typeof response.body === 'string' ? response.body : '';
  const { error } = text.startsWith('{') ? (JSON.parse(text) as { error?: { code: string } }) : {};
  return error?.code;
}

it('names every endpoint of an organisation', () => {
  expect(Object.values(LEAST).flat().toSorted()).toEqual(guarded.toSorted());
});

describe.each(ROLES)('%s', (role) => {
  const rank = ROLES.indexOf(role);
  const below = ROLES.slice(rank + 1).flatMap((least) => LEAST[least]);
  // Leaving would change who asks; tests/console/organizations.test.ts has it.
  const allowed = ROLES.slice(0, rank + 1)
    .flatMap((least) => LEAST[least])
    .filter((name) => name !== 'POST members/leave');

  it('is refused what is above the role', async () => {
    const answers = await Promise.all(below.map(async (name) => [name, await ask(name)]));
    expect(answers).toEqual(below.map((name) => [name, 'role_required']));
  });

  it('is refused nothing else for the role', async () => {
    const refused: string[] = [];
    for (const name of allowed) if ((await ask(name)) === 'role_required') refused.push(name);
    expect(refused).toEqual([]);
  });

  function ask(name: string) {
    const [method = '', pattern = ''] = name.split(' ');
    return askAs(role, method, pattern);
  }
});
