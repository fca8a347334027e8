import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTION_GROUPS, actionWords } from '../../../../app/console/audit/audit-words';
import type { AuditEntryJson, AuditPageJson } from '../../../../lib/contract/audit';
import type { KeyListJson } from '../../../../lib/contract/keys';
import { newId } from '../../../../lib/domain/ids';
import { bearer, consoleRoutes, openConsoleApi, type ConsoleApi } from '../../../support/console-api';
import { makeMember } from '../../accounts/make-accounts';

let testGateway: ConsoleApi['testGateway'];
let owner: ConsoleApi['owner'];
let ask: ConsoleApi['ask'];
beforeAll(async () => {
  ({ testGateway, owner, ask } = await openConsoleApi());
});
afterAll(() => testGateway.close());

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
      detail: `${transfer.mode} $3.00: ${transfer.reason}`,
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
