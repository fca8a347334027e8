import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createKeyRevocationWatch,
  type Connection,
  type KeyRevocationWatch,
} from '../../../lib/accounts/key-revocation-watch';
import type { KeyJson } from '../../../lib/contract/keys';
import { presentPerson } from '../../../lib/accounts/sign-in';
import type { Db } from '../../../lib/db/database';
import { findPerson } from '../../../lib/db/people';
import type { Actor, Caller } from '../../../lib/domain/caller';
import type { OrgId, SignInId } from '../../../lib/domain/ids';
import { createTestClock, type TestClock } from '../../support/clock';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { recordLog } from '../../support/log';

let test: TestGateway;
let actor: Actor;
let clock: TestClock;
let keyRevocations: KeyRevocationWatch;
/** Called when a query is built. */
let onSelect: () => void;

beforeAll(async () => {
  test = await makeGateway();
  const { rows } = await test.db.query(`select id from users`);
  actor = { orgId: (await test.caller('live')).orgId, role: 'owner', userId: rows[0]?.['id'] as never };
});
afterAll(() => test.close());

beforeEach(() => {
  clock = createTestClock();
  onSelect = () => {};
  keyRevocations = createKeyRevocationWatch({ db: watched(test.db), clock, log: recordLog() });
});

function watched(db: Db): Db {
  const orm = new Proxy(db.orm, {
    get(target, name) {
      if (name === 'select') onSelect();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { orm, query: (text, values) => db.query(text, values) };
}

async function makeKey(body: object = {}): Promise<{ key: KeyJson & { key: string }; caller: Caller }> {
  const key = await test.gateway.accounts.createKey(actor, { name: 'watched', mode: 'live', ...body });
  return { key, caller: await test.gateway.accounts.authenticate({ authorization: `Bearer ${key.key}` }, '10.1.2.3') };
}

/** The code with which the connection was ended, if it was. */
function open(caller: Caller, connection: Partial<Connection> = {}): { ended?: string; close(): void } {
  const state: { ended?: string; close(): void } = { close: () => {} };
  state.close = keyRevocations.watch(caller, {
    path: '/v1/audio/speech/ws',
    using: () => ({ modelId: 'sonic-3', providerId: 'cartesia' }),
    onEnd: ({ code }) => void (state.ended = code),
    ...connection,
  });
  return state;
}

/** One check, until its end. */
async function look(): Promise<void> {
  await clock.advance(3_000);
  // While a key is watched, each check schedules the next one.
  while (clock.pending() === 0) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('a check', () => {
  it('does not report a connection that was opened while the database answered', async () => {
    const first = open((await makeKey()).caller);
    const { caller } = await makeKey();
    let late: ReturnType<typeof open> | undefined;
    onSelect = () => (late ??= open(caller));
    await look();
    expect([first.ended, late?.ended]).toEqual([undefined, undefined]);
    await look();
    expect(late?.ended).toBeUndefined();
  });

  it('does not call a connection that was closed while the database answered', async () => {
    const { caller, key } = await makeKey();
    await test.gateway.accounts.revokeKey(actor, key.id);
    const stays = open((await makeKey()).caller);
    const closing = open(caller);
    onSelect = () => closing.close();
    await look();
    expect([stays.ended, closing.ended]).toEqual([undefined, undefined]);
  });

  it('that fails, as when the database is away, ends nothing, and the next one works', async () => {
    const { caller, key } = await makeKey();
    const connection = open(caller);
    await test.gateway.accounts.revokeKey(actor, key.id);
    onSelect = () => {
      throw new Error('connection terminated');
    };
    await look();
    expect(connection.ended).toBeUndefined();
    onSelect = () => {};
    open((await makeKey()).caller);
    await look();
    expect(connection.ended).toBe('revoked_api_key');
  });
});

describe('a key that is changed', () => {
  it.each([
    [{ disabled: true }, 'revoked_api_key'],
    [{ scopes: ['manage'] }, 'scope_required'],
    [{ allowed_models: ['aura-2'] }, 'model_not_allowed'],
    [{ allowed_providers: ['deepgram'] }, 'provider_not_allowed'],
    [{ allowed_endpoints: ['/v1/videos'] }, 'endpoint_not_allowed'],
    [{ allowed_addresses: ['10.9.0.0/16'] }, 'ip_not_allowed'],
    [
      {
        allowed_models: ['sonic-3'],
        allowed_providers: ['cartesia'],
        allowed_endpoints: ['/v1/audio'],
        allowed_addresses: ['10.1.2.3'],
      },
      undefined,
    ],
    [{ name: 'another name' }, undefined],
  ])('to %j ends its connection with %s', async (change, code) => {
    const { caller, key } = await makeKey();
    const stays = open((await makeKey()).caller);
    const connection = open(caller);
    await test.gateway.accounts.updateKey(actor, key.id, change);
    await look();
    expect([connection.ended, stays.ended]).toEqual([code, undefined]);
  });

  it('to a limit below its spending ends its connections that cost something, and at its spending does not', async () => {
    const { caller, key } = await makeKey({ limit: { amount: '10', period: 'total' } });
    await test.db.query(
      `insert into spending (scope_id, mode, period, spent_nano_usd) values ($1, 'live', 'total', 2000000000)`,
      [key.id],
    );
    const stays = open((await makeKey()).caller);
    const connection = open(caller);
    const free = open(caller, { isFree: true });
    await test.gateway.accounts.updateKey(actor, key.id, { limit: { amount: '2', period: 'total' } });
    await look();
    expect(connection.ended).toBeUndefined();
    await test.gateway.accounts.updateKey(actor, key.id, { limit: { amount: '1.99', period: 'total' } });
    await look();
    expect([connection.ended, free.ended, stays.ended]).toEqual(['key_limit_exceeded', undefined, undefined]);
  });

  it('to a project whose policy or budget excludes its connection ends it', async () => {
    const { projects } = test.gateway;
    const project = await projects.create(actor, 'live', { name: 'Watched' });
    const { caller, key } = await makeKey({ project: project.id });
    const stays = open((await makeKey()).caller);
    const minute = { modelId: 'sonic-3', providerId: 'cartesia', price: { per: 'minute' as const, amount: 100n } };
    const [connection, metered, free] = [
      open(caller),
      open(caller, { using: () => minute }),
      open(caller, { isFree: true }),
    ];
    await projects.update(actor, 'live', project.id, { max_price_per_minute: '0.00000005' });
    await look();
    expect([connection.ended, metered.ended, free.ended]).toEqual([undefined, 'price_not_allowed', undefined]);
    await projects.update(actor, 'live', project.id, { limit: { amount: '2', period: 'total' } });
    await test.db.query(`update spending set spent_nano_usd = 2000000001 where scope_id = $1 and mode = 'live'`, [
      project.id,
    ]);
    await look();
    expect([connection.ended, free.ended]).toEqual(['project_limit_exceeded', undefined]);
    await projects.update(actor, 'live', project.id, { allowed_models: ['aura-2'] });
    await look();
    expect([free.ended, stays.ended]).toEqual(['model_not_allowed', undefined]);
    await test.gateway.accounts.revokeKey(actor, key.id);
    await projects.remove(actor, project.id);
  });

  it('by the policy of its organisation ends it, also that of a person in the console', async () => {
    const { policies, accounts } = test.gateway;
    const { caller } = await makeKey();
    const person = await accounts.callerOfPeople({ orgId: actor.orgId, mode: 'live' });
    const [ofKey, ofPerson, stays] = [open(caller), open(person), open(person, { using: () => undefined })];
    await policies.update(actor, { allowed_providers: ['deepgram'] });
    await look();
    expect([ofKey.ended, ofPerson.ended, stays.ended]).toEqual([
      'provider_not_allowed',
      'provider_not_allowed',
      undefined,
    ]);
    await policies.update(actor, { allowed_providers: null });
  });

  it('is reported to a connection that may continue, for its later requests', async () => {
    const { caller, key } = await makeKey();
    let models: readonly string[] | undefined;
    const connection = open(caller, {
      using: () => undefined,
      onPolicy: ({ levels }) => void (models = levels?.[0]?.rules.allowedModels),
    });
    await test.gateway.accounts.updateKey(actor, key.id, { allowed_models: ['aura-2'] });
    await look();
    expect([connection.ended, models]).toEqual([undefined, ['aura-2']]);
  });
});

describe('a ticket', () => {
  const path = '/v1/audio/speech/ws';
  const redeemed = async (by: Actor) =>
    test.gateway.tickets.redeem((await test.gateway.tickets.create(by, { path })).ticket, path);

  const signIn = async (former?: string): Promise<Actor & { readonly signInId: SignInId }> => {
    const person = await findPerson(test.db, actor.userId!);
    return { ...actor, signInId: await test.gateway.accounts.beginSignIn(presentPerson(person!), former) };
  };

  it('of a sign-in ends its connection when the user signs out everywhere, and a later one stays', async () => {
    const before = open(await redeemed(await signIn()));
    await look();
    expect(before.ended).toBeUndefined();
    await test.gateway.accounts.signOutEverywhere(actor.userId!);
    const after = open(await redeemed(await signIn()));
    await look();
    expect([before.ended, after.ended]).toEqual(['not_signed_in', undefined]);
  });

  it('of a sign-in ends its connection when this sign-in is ended, and no other one of the user', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const connections = [open(await redeemed(one)), open(await redeemed(other))];
    await look();
    await test.gateway.accounts.endSignIn(one.signInId);
    await look();
    expect(connections.map(({ ended }) => ended)).toEqual(['not_signed_in', undefined]);
  });

  it('of a sign-in keeps its connection when the password is entered again, until that sign-in is ended', async () => {
    const first = await signIn();
    const connection = open(await redeemed(first));
    const stays = open((await makeKey()).caller);
    const second = await signIn(first.signInId);
    await test.db.query('delete from sign_ins where id = $1', [first.signInId]);
    await look();
    expect(connection.ended).toBeUndefined();
    await test.gateway.accounts.endSignIn(second.signInId);
    await look();
    expect([connection.ended, stays.ended]).toEqual(['not_signed_in', undefined]);
  });

  it('of a sign-in ends its connection when its user leaves the organisation, and not that of another one', async () => {
    const { orgId } = await makeSecond();
    const by = await signIn();
    const [here, there] = [open(await redeemed(by)), open(await redeemed({ ...by, orgId }))];
    await look();
    expect([here.ended, there.ended]).toEqual([undefined, undefined]);
    await test.db.query('delete from members where user_id = $1 and org_id = $2', [actor.userId, orgId]);
    await look();
    expect([here.ended, there.ended]).toEqual([undefined, 'not_signed_in']);
  });

  /** Another organisation of the same user. */
  async function makeSecond(): Promise<{ orgId: OrgId }> {
    const person = await test.gateway.accounts.findSignIn((await signIn()).signInId);
    const { id: orgId } = await test.gateway.organizations.create(person!, { name: 'Second' });
    return { orgId };
  }

  it('of a key is valid from any address, and ends its connection when the key may not manage any more', async () => {
    const { caller, key } = await makeKey({ scopes: ['manage'], allowed_addresses: ['10.1.2.3'] });
    const connection = open(await redeemed({ orgId: caller.orgId, role: 'admin', keyId: caller.keyId }));
    const stays = open((await makeKey()).caller);
    await look();
    expect(connection.ended).toBeUndefined();
    await test.gateway.accounts.updateKey(actor, key.id, { scopes: ['inference'] });
    await look();
    expect([connection.ended, stays.ended]).toEqual(['scope_required', undefined]);
  });
});
