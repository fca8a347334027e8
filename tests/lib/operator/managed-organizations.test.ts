import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPageJson } from '../../../lib/contract/audit';
import type { MadeOrganizationJson } from '../../../lib/contract/organizations';
import type { Actor } from '../../../lib/domain/caller';
import { newId, type OrgId } from '../../../lib/domain/ids';
import { makeGateway, type TestGateway } from '../../support/gateway';

// The organisations as the operator manages them, on the product as it is composed.

let test: TestGateway;
let orgId: OrgId;
let owner: Actor;
let by: { readonly userId: NonNullable<Actor['userId']> };
beforeAll(async () => {
  test = await makeGateway();
  ({ orgId } = await test.caller('live'));
  const { email, password } = test.firstRun.owner;
  const person = await test.gateway.accounts.verifyPassword(email, password);
  owner = { orgId, role: 'owner', userId: person!.userId };
  by = { userId: person!.userId };
});
afterAll(() => test.close());

const auditOf = (id: OrgId): Promise<AuditPageJson> =>
  test.gateway.auditLog.list({ orgId: id, role: 'owner' }, {}, { limit: 100 });
const create = (body: unknown): Promise<MadeOrganizationJson> => test.gateway.operator.createOrganization(body, by);
const tokenOf = (made: { readonly link: string }) => new URL(made.link).hash.slice(1);

describe('a new organisation', () => {
  it('begins with test credits only and without members, and its owner joins with the invitation', async () => {
    const made = await create({ name: 'Globex', owner_email: 'Hank@Globex.example' });
    expect(made).toMatchObject({
      object: 'organization',
      name: 'Globex',
      state: 'active',
      members: 0,
      owners: 0,
      credits: { live: { available: '0' }, test: { available: '1000' } },
      activity: { live: { requests: 0, charged: '0' }, last_day: null },
      invitation: { role: 'owner', email: 'hank@globex.example', invited_by: null, mail: 'none' },
    });
    const token = tokenOf(made.invitation);
    const other = { token, email: 'eve@globex.example', password: 'correct horse battery' };
    await expect(test.gateway.invitations.signUp(other, '::1')).rejects.toMatchObject({
      code: 'invitation_not_for_you',
    });
    await test.gateway.invitations.signUp({ token, password: 'correct horse battery' }, '::1');
    expect(await test.gateway.operator.readOrganization(made.id)).toMatchObject({ members: 1, owners: 1 });
    const entries = (await auditOf(made.id as OrgId)).data.map(({ action, actor }) => [action, actor] as const);
    expect(entries.toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
      ['invitation.created', { type: 'operator', id: by.userId, email: test.firstRun.owner.email }],
      ['organization.created', { type: 'operator', id: by.userId, email: test.firstRun.owner.email }],
    ]);
  });

  it('does not make the operator a member', async () => {
    const { id } = await create({ name: 'Initech' });
    const person = await test.gateway.accounts.verifyPassword(test.firstRun.owner.email, test.firstRun.owner.password);
    expect(person?.memberships.map((each) => each.orgId)).toEqual([orgId]);
    expect(person?.memberships.map((each) => each.orgId)).not.toContain(id);
  });

  it('gets another invitation only while it has no owner', async () => {
    const { id } = await create({ name: 'Umbrella' });
    const again = await test.gateway.operator.inviteOwner(id, { email: 'al@umbrella.example' }, by);
    await test.gateway.invitations.signUp({ token: tokenOf(again), password: 'correct horse battery' }, '::1');
    await expect(test.gateway.operator.inviteOwner(id, {}, by)).rejects.toMatchObject({ code: 'owner_exists' });
    await expect(test.gateway.operator.inviteOwner(orgId, {}, by)).rejects.toMatchObject({ code: 'owner_exists' });
  });

  it('is not made with an owner_email that is none, and the error names the field', async () => {
    await expect(create({ name: 'Initech', owner_email: 'foo' })).rejects.toMatchObject({
      message: 'owner_email must be an e-mail address such as ada@example.com.',
      extra: { param: 'owner_email' },
    });
  });

  it.each([[{}], [{ name: '' }], [{ name: 'x', owner_email: 'nobody' }], [{ name: 'x', role: 'admin' }]])(
    'is not made from %j',
    async (body) => {
      const count = async () => (await test.gateway.operator.listOrganizations({ limit: 100 })).data.length;
      const before = await count();
      await expect(create(body)).rejects.toMatchObject({ extra: { param: expect.any(String) as unknown } });
      expect(await count()).toBe(before);
    },
  );
});

describe('the list', () => {
  it('is filtered by a part of the name, by the id and by the state, in both orders, page by page', async () => {
    const names = ['Filter one', 'Filter two', 'Filter 100%'];
    const ids: string[] = [];
    for (const name of names) {
      await test.clock.advance(1_000);
      ids.push((await create({ name })).id);
    }
    const { operator } = test.gateway;
    await operator.suspend(ids[1]!, { reason: 'A test' }, by);
    const found = async (query: Partial<Parameters<typeof operator.listOrganizations>[0]>) =>
      (await operator.listOrganizations({ limit: 100, ...query })).data.map(({ name }) => name);
    expect(await found({ search: 'FILTER' })).toEqual(names);
    expect(await found({ search: 'filter', order: 'desc' })).toEqual(names.toReversed());
    expect(await found({ search: '%' })).toEqual(['Filter 100%']);
    expect(await found({ search: ids[0] })).toEqual(['Filter one']);
    expect(await found({ search: 'filter', state: 'suspended' })).toEqual(['Filter two']);
    expect(await found({ search: 'filter', state: 'active' })).toEqual(['Filter one', 'Filter 100%']);
    expect(await found({ search: 'filter', state: 'erased' })).toEqual([]);
    const first = await operator.listOrganizations({ limit: 2, search: 'filter', order: 'desc' });
    expect([first.has_more, first.last_id]).toEqual([true, ids[1]]);
    const after = first.last_id ?? undefined;
    expect(await found({ limit: 2, search: 'filter', order: 'desc', after })).toEqual(['Filter one']);
  });

  it('has the requests and the charges of the last 30 days', async () => {
    const caller = await test.caller('live');
    const body = { model: 'sandbox-t2v', prompt: 'A boat', seconds: 5, size: '640x360', fps: 8 };
    const { id } = await test.gateway.videos.submit(caller, {
      body,
      textOnly: false,
      requestId: newId('request'),
      automaticRetry: false,
    } as never);
    await expect
      .poll(
        async () => {
          await test.pass(1_000);
          return (await test.gateway.videos.get(caller, id)).video.status;
        },
        { timeout: 50_000 },
      )
      .toBe('completed');
    const { spent } = await test.gateway.accounts.credits({ orgId, mode: 'live' });
    const { activity } = await test.gateway.operator.readOrganization(orgId);
    const today = test.clock.now().toISOString().slice(0, 10);
    expect(activity).toEqual({
      live: { requests: 1, charged: spent },
      test: { requests: 0, charged: '0' },
      last_day: today,
    });
    await test.clock.advance(30 * 86_400_000);
    expect((await test.gateway.operator.readOrganization(orgId)).activity).toMatchObject({
      live: { requests: 0 },
      last_day: null,
    });
  });
});

describe('a suspension', () => {
  it('refuses the keys at once in this process and makes the console read-only, until it is lifted', async () => {
    const { operator, accounts } = test.gateway;
    const person = await accounts.verifyPassword(test.firstRun.owner.email, test.firstRun.owner.password);
    const signIn = await accounts.beginSignIn(person!);
    const isReadOnly = async () => (await accounts.findSignIn(signIn))?.memberships[0]?.orgSuspended;
    await test.caller('test');
    expect(await isReadOnly()).toBe(false);

    const suspended = await operator.suspend(orgId, { reason: '  Invoice 7 is not paid ' }, by);
    expect(suspended).toMatchObject({
      state: 'suspended',
      suspended: true,
      suspended_at: expect.any(Number) as number,
    });
    await expect(test.caller('test')).rejects.toMatchObject({ code: 'organization_suspended' });
    expect(await isReadOnly()).toBe(true);

    await test.clock.advance(1_000);
    const resumed = await operator.resume(orgId, { reason: 'It is paid' });
    expect(resumed).toMatchObject({ state: 'active', suspended: false, suspended_at: null });
    expect((await test.caller('test')).orgId).toBe(orgId);
    expect(await isReadOnly()).toBe(false);
    const entries = (await auditOf(orgId)).data.filter(({ action }) => /suspended|resumed/.test(action));
    expect(entries.map(({ action, actor, detail }) => [action, actor, detail])).toEqual([
      ['organization.resumed', { type: 'operator' }, 'It is paid'],
      [
        'organization.suspended',
        { type: 'operator', id: by.userId, email: test.firstRun.owner.email },
        'Invoice 7 is not paid',
      ],
    ]);
  });

  it('that is repeated changes and records nothing', async () => {
    const { id } = await create({ name: 'Twice' });
    const { operator } = test.gateway;
    const first = await operator.suspend(id, { reason: 'First' }, by);
    await test.clock.advance(5_000);
    expect(await operator.suspend(id, { reason: 'Second' }, by)).toEqual(first);
    const actions = (await auditOf(id as OrgId)).data.map(({ action }) => action);
    expect(actions.filter((action) => action === 'organization.suspended')).toHaveLength(1);
  });

  it.each([[{}], [{ reason: ' ' }], [{ reason: 'x'.repeat(501) }], [{ reason: 7 }], [{ reason: 'a\nb' }]])(
    'needs a reason: %j',
    async (body) => {
      await expect(test.gateway.operator.suspend(orgId, body, by)).rejects.toMatchObject({
        extra: { param: 'reason' },
      });
      expect((await test.gateway.operator.readOrganization(orgId)).suspended).toBe(false);
    },
  );

  it('of an organisation that does not exist is refused', async () => {
    for (const id of [newId('org'), 'org_1', ''])
      await expect(test.gateway.operator.suspend(id, { reason: 'x' }, by)).rejects.toMatchObject({
        code: 'organization_not_found',
      });
  });
});

describe('the support view', () => {
  it('shows members, keys and requests without secrets and content, and is recorded where the owners see it', async () => {
    const { operator } = test.gateway;
    const seen = await operator.readSupportView(orgId, 'live', by);
    expect(seen).toMatchObject({
      object: 'support_view',
      mode: 'live',
      organization: { id: orgId },
      members: [{ id: by.userId, role: 'owner' }],
      transfers: [],
    });
    expect(seen.keys.map(({ name }) => name).toSorted()).toEqual(['First live key', 'First test key']);
    expect(seen.requests.data.map(({ kind, status }) => [kind, status])).toEqual([['video', 'completed']]);
    const text = JSON.stringify(seen);
    const secrets = [test.firstRun.keys.live, test.firstRun.keys.test, test.firstRun.webhook_secret, 'A boat'];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect((await auditOf(orgId)).data[0]).toMatchObject({
      action: 'organization.viewed',
      actor: { type: 'operator', id: by.userId },
      target: orgId,
      detail: 'live',
      address: null,
    });
  });

  it('that cannot be recorded is refused', async () => {
    await test.db.query('alter table audit_entries rename to hidden_entries');
    try {
      await expect(test.gateway.operator.readSupportView(orgId, 'live', by)).rejects.toThrow();
    } finally {
      await test.db.query('alter table hidden_entries rename to audit_entries');
    }
  });
});

describe('the log of the operators', () => {
  it('has every action with its organisation and person, newest first, page by page', async () => {
    const { operator } = test.gateway;
    await test.clock.advance(1_000);
    await operator.transfer(
      { organization: orgId, mode: 'test', kind: 'grant', amount: '1', reference: 'log-1', reason: 'A test' },
      by,
    );
    await test.clock.advance(1_000);
    await operator.providers.verify('sandbox', by);
    const first = await operator.listEntries({ limit: 2 });
    expect(first.data).toMatchObject([
      { action: 'providers.verified', organization: null, actor: { id: by.userId }, detail: 'sandbox' },
      { action: 'credits.granted', organization: { id: orgId }, actor: { id: by.userId } },
    ]);
    expect(first.has_more).toBe(true);
    const second = await operator.listEntries({ limit: 100, after: first.last_id ?? undefined });
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(second.data.map(({ actor }) => actor)).toContainEqual(null);
    await expect(operator.listEntries({ limit: 1, after: newId('audit') })).rejects.toMatchObject({
      code: 'unsupported_value',
    });
    // What members did is not in it.
    await test.gateway.auditLog.record({ orgId, userId: owner.userId! }, 'key.created');
    expect((await operator.listEntries({ limit: 1 })).data[0]?.action).toBe('providers.verified');
  });
});
