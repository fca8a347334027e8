import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectJson } from '../../../lib/contract/projects';
import type { Actor } from '../../../lib/domain/caller';
import { newId, type KeyId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import type { Mode } from '../../../lib/domain/video';
import { createProjects } from '../../../lib/projects/projects';
import type { Database } from '../../../lib/db/database';
import { openTestDatabase } from '../../support/database';
import { handClock, makeAccounts, makeOrganization, refusal } from '../accounts/make-accounts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

async function scene() {
  const clock = handClock();
  const { accounts, ledger } = makeAccounts(db, clock);
  const { owner, orgId } = await makeOrganization(db, clock);
  const projects = createProjects({ db, clock, isProvider: (id) => id !== 'nope', forgetKeys: accounts.forgetKeys });
  const as = (role: Actor['role']): Actor => ({ ...owner, role });
  const makeKey = (body: object = {}, by = owner) => accounts.createKey(by, { name: 'CI', mode: 'test', ...body });
  const ask = (key: string) => accounts.authenticate({ apiKey: key }, '198.51.100.20');
  const hold = (id: string, usd: string, mode: Mode = 'test') =>
    // Safe: the id was made by `createKey`.
    db.inTransaction((tx) =>
      ledger.hold(tx, {
        account: { orgId, mode },
        keyId: id as KeyId,
        amount: parseUsd(usd),
        subject: { kind: 'video', id: newId('video') },
      }),
    );
  const account = { orgId, mode: 'test' as const };
  const spentOf = async ({ id }: ProjectJson) => (await projects.find(account, id)).limit?.spent;
  const create = (body: object = {}) => projects.create(owner, 'test', { name: 'Search', ...body });
  return { clock, accounts, ledger, owner, orgId, projects, as, makeKey, ask, hold, account, spentOf, create };
}

const monthly = (amount: string) => ({ limit: { amount, period: 'monthly' } });

describe('create', () => {
  it('answers with the project, its budget and its policy', async () => {
    const { create, projects, account } = await scene();
    const made = await create({ ...monthly('25'), allowed_models: ['sandbox-t2v'], max_price_per_request: '0.50' });
    expect(made).toEqual({
      id: expect.stringMatching(/^project_[0-9a-f]{32}$/) as string,
      object: 'project',
      name: 'Search',
      mode: 'test',
      limit: { amount: '25', period: 'monthly', spent: '0', resets_at: Date.parse('2026-12-01T00:00:00Z') / 1000 },
      allowed_models: ['sandbox-t2v'],
      allowed_providers: null,
      allowed_regions: null,
      allowed_endpoints: null,
      allowed_addresses: null,
      max_price_per_request: '0.5',
      max_price_per_minute: null,
      keys: 0,
      created_at: Date.parse('2026-11-18T10:30:00Z') / 1000,
    });
    expect(await projects.list(account)).toEqual([made]);
  });

  it.each([
    ['a second one of the name', { name: 'sEARCH' }, 'project_name_taken', 'name'],
    ['an empty name', { name: ' ' }, 'unsupported_value', 'name'],
    ['a misspelt field', { name: 'a', allowed_model: [] }, 'unsupported_parameter', 'allowed_model'],
    [
      'a price that is no amount',
      { name: 'a', max_price_per_request: '1e3' },
      'unsupported_value',
      'max_price_per_request',
    ],
    ['an unknown provider', { name: 'a', allowed_providers: ['nope'] }, 'unsupported_value', 'allowed_providers'],
    ['an empty list', { name: 'a', allowed_models: [] }, 'unsupported_value', 'allowed_models'],
  ])('refuses %s', async (_, body, code, param) => {
    const { create, projects, owner } = await scene();
    await create();
    expect(await refusal(projects.create(owner, 'test', body))).toMatchObject({ code, param });
  });

  it.each(['developer', 'viewer'] as const)('is not for a %s, as every other change', async (role) => {
    const { create, projects, as, makeKey, accounts } = await scene();
    const { id } = await create();
    const key = await makeKey();
    for (const change of [
      () => projects.create(as(role), 'test', { name: 'Other' }),
      () => projects.update(as(role), 'test', id, { name: 'Other' }),
      () => projects.remove(as(role), id),
      () => accounts.updateKey(as(role), key.id, { project: id }),
    ])
      expect((await refusal(change())).code).toBe('role_required');
  });

  it('is unknown to other organisations', async () => {
    const [{ create }, other] = [await scene(), await scene()];
    const { id } = await create();
    for (const refused of [
      () => other.projects.find(other.account, id),
      () => other.projects.update(other.owner, 'test', id, {}),
      () => other.projects.remove(other.owner, id),
      () => other.makeKey({ project: id }),
    ])
      expect((await refusal(refused())).code).toBe('project_not_found');
    expect(await other.projects.list(other.account)).toEqual([]);
  });
});

describe('a key', () => {
  it('belongs to a project, whose number of keys does not count revoked ones and those of the other mode', async () => {
    const { create, makeKey, accounts, owner, projects, orgId, account } = await scene();
    const { id, name } = await create();
    const key = await makeKey({ project: id });
    await makeKey({ project: id, mode: 'live' });
    const gone = await makeKey({ project: id });
    await accounts.revokeKey(owner, gone.id);
    expect(key.project).toMatchObject({ id, name });
    expect((await projects.find(account, id)).keys).toBe(1);
    expect((await projects.find({ orgId, mode: 'live' }, id)).keys).toBe(1);
  });

  it('stays in its project when it is rotated, and so do the keys that it creates', async () => {
    const { create, makeKey, accounts, owner, as } = await scene();
    const { id } = await create();
    const other = await create({ name: 'Other' });
    const key = await makeKey({ project: id, mode: 'live', scopes: ['inference', 'manage'] });
    expect((await accounts.rotateKey(owner, key.id, {})).project?.id).toBe(id);
    const byKey: Actor = { orgId: owner.orgId, role: as('admin').role, keyId: key.id as KeyId };
    expect((await makeKey({}, byKey)).project?.id).toBe(id);
    for (const project of [null, other.id])
      expect(await refusal(makeKey({ project }, byKey))).toMatchObject({ code: 'role_required', param: 'project' });
  });

  it('with the scope manage may not change its project, other projects, or the project of another key', async () => {
    const { create, makeKey, accounts, owner, projects } = await scene();
    const { id } = await create();
    const other = await create({ name: 'Other' });
    const free = await makeKey();
    const managing = { mode: 'live', scopes: ['inference', 'manage'] };
    const own = await makeKey({ ...managing, project: id });
    const outside = await makeKey(managing);
    const by = (key: { id: string }): Actor => ({ orgId: owner.orgId, role: 'admin', keyId: key.id as KeyId });
    for (const change of [
      () => projects.update(by(own), 'test', id, { limit: null }),
      () => projects.update(by(own), 'test', other.id, {}),
      () => projects.create(by(own), 'test', { name: 'New' }),
      () => projects.remove(by(own), other.id),
      () => accounts.updateKey(by(own), free.id, { project: other.id }),
    ])
      expect((await refusal(change())).code).toBe('role_required');
    await projects.update(by(outside), 'test', id, { name: 'Changed by a key' });
    expect((await accounts.updateKey(by(outside), free.id, { project: id })).project?.id).toBe(id);
  });

  it('takes what it spends and holds along into another project', async () => {
    const { create, makeKey, accounts, owner, hold, spentOf, ledger } = await scene();
    const [from, to] = [await create(monthly('5')), await create({ name: 'Other', ...monthly('5') })];
    const [stays, moves] = [await makeKey({ project: from.id }), await makeKey({ project: from.id })];
    await hold(stays.id, '1');
    const held = await hold(moves.id, '2');
    expect(await spentOf(from)).toBe('3');
    await accounts.updateKey(owner, moves.id, { project: to.id });
    expect([await spentOf(from), await spentOf(to)]).toEqual(['1', '2']);
    await db.inTransaction((tx) => ledger.release(tx, held));
    expect([await spentOf(from), await spentOf(to)]).toEqual(['1', '0']);
    await accounts.updateKey(owner, stays.id, { project: null });
    expect(await spentOf(from)).toBe('0');
  });
});

describe('the budget', () => {
  it('stops all keys of the project, and none of the others', async () => {
    const { create, makeKey, hold } = await scene();
    const { id } = await create(monthly('1'));
    const [one, other, free] = [await makeKey({ project: id }), await makeKey({ project: id }), await makeKey()];
    await hold(one.id, '0.8');
    expect(await refusal(hold(other.id, '0.3'))).toMatchObject({
      code: 'project_limit_exceeded',
      message: expect.stringContaining('“Search” of $1 a month does not leave the $0.3') as string,
    });
    await hold(free.id, '0.3');
  });

  it('that is set later counts what was spent and is held before, and one that is lifted stops nothing', async () => {
    const { create, makeKey, hold, projects, owner, spentOf } = await scene();
    const made = await create();
    const key = await makeKey({ project: made.id });
    await hold(key.id, '0.8');
    await projects.update(owner, 'test', made.id, monthly('1'));
    expect(await spentOf(made)).toBe('0.8');
    expect((await refusal(hold(key.id, '0.3'))).code).toBe('project_limit_exceeded');
    await projects.update(owner, 'test', made.id, { limit: null });
    await hold(key.id, '0.3');
  });

  it('resets with its period', async () => {
    const { create, makeKey, hold, clock, spentOf } = await scene();
    const made = await create({ limit: { amount: '1', period: 'daily' } });
    const key = await makeKey({ project: made.id });
    await hold(key.id, '0.8');
    clock.pass(24 * 3_600_000);
    expect(await spentOf(made)).toBe('0');
    await hold(key.id, '0.8');
  });
});

describe('update', () => {
  it('acts on the keys of the project at once in this process', async () => {
    const { create, makeKey, ask, projects, owner } = await scene();
    const { id } = await create();
    const { key } = await makeKey({ project: id, allowed_providers: ['sandbox'] });
    expect((await ask(key)).policy.levels).toEqual([{ level: 'key', rules: { allowedProviders: ['sandbox'] } }]);
    await projects.update(owner, 'test', id, {
      name: 'Find',
      allowed_models: ['sandbox-t2v'],
      max_price_per_minute: '0.01',
    });
    expect((await ask(key)).policy.levels).toEqual([
      {
        level: 'project',
        name: 'Find',
        rules: { allowedModels: ['sandbox-t2v'], maxMinuteNanoUsd: parseUsd('0.01') },
      },
      { level: 'key', rules: { allowedProviders: ['sandbox'] } },
    ]);
  });

  it('keeps what the request does not name', async () => {
    const { create, projects, owner } = await scene();
    const made = await create({ ...monthly('5'), allowed_models: ['a'] });
    expect(await projects.update(owner, 'test', made.id, {})).toEqual(made);
  });
});

describe('remove', () => {
  it('is refused while the project has keys that are not revoked', async () => {
    const { create, makeKey, accounts, owner, projects, account } = await scene();
    const { id } = await create();
    const key = await makeKey({ project: id });
    expect(await refusal(projects.remove(owner, id))).toMatchObject({
      code: 'project_not_empty',
      message: 'The project “Search” still has a key. Move or revoke it first.',
    });
    await accounts.revokeKey(owner, key.id);
    await projects.remove(owner, id);
    expect(await projects.list(account)).toEqual([]);
    expect((await accounts.listKeys(owner)).find((each) => each.id === key.id)?.project).toBeNull();
    expect((await refusal(projects.find(account, id))).code).toBe('project_not_found');
  });
});
