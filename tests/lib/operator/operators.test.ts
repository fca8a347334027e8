import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserId } from '../../../lib/domain/ids';
import { newId } from '../../../lib/domain/ids';
import { makeMember } from '../accounts/make-accounts';
import { makeGateway, type TestGateway } from '../../support/gateway';

let test: TestGateway;
let first: { readonly userId: UserId };
beforeAll(async () => {
  test = await makeGateway();
  const { email, password } = test.firstRun.owner;
  first = { userId: (await test.gateway.accounts.verifyPassword(email, password))!.userId };
});
afterAll(() => test.close());

const addMember = async () =>
  makeMember(test.db, test.clock, (await test.caller()).orgId, 'owner').then(({ userId }) => userId!);
const isOperator = async (userId: UserId) => {
  const { rows } = await test.db.query('select session_version from users where id = $1', [userId]);
  const signIn = await test.gateway.accounts.beginSignIn({ userId, sessionVersion: Number(rows[0]?.session_version) });
  return (await test.gateway.accounts.findSignIn(signIn))?.isOperator ?? false;
};

describe('operators', () => {
  it('begin with the owner of the first run; other owners are none', async () => {
    const { data } = await test.gateway.operator.operators.list();
    expect(data.map(({ id, email }) => [id, email])).toEqual([[first.userId, test.firstRun.owner.email]]);
    expect(await isOperator(first.userId)).toBe(true);
    expect(await isOperator(await addMember())).toBe(false);
  });

  it('are added by the e-mail address or the id, once, and removed; open sign-ins notice it', async () => {
    const { operators } = test.gateway.operator;
    const userId = await addMember();
    const signIn = await test.gateway.accounts.beginSignIn({ userId, sessionVersion: 1 });
    const sees = async () => (await test.gateway.accounts.findSignIn(signIn))?.isOperator ?? false;
    expect(await sees()).toBe(false);
    const added = await operators.add({ person: ` ${userId.toUpperCase()}@Example.com ` }, first);
    expect(added).toMatchObject({ id: userId, object: 'operator' });
    expect(await operators.add({ person: userId }, first)).toEqual(added);
    expect(await sees()).toBe(true);
    await test.clock.advance(1_000);
    await operators.remove(userId, first);
    expect(await sees()).toBe(false);
    await expect(operators.remove(userId, first)).rejects.toMatchObject({ code: 'account_not_found' });
    const { data } = await test.gateway.operator.listEntries({ limit: 10 });
    expect(data.map(({ action, target, organization }) => [action, target, organization])).toEqual([
      ['operator.removed', userId, null],
      ['operator.added', userId, null],
    ]);
  });

  it('that another person could have named by an unverified address of an invitation are added only by the id', async () => {
    const { operators } = test.gateway.operator;
    const userId = await addMember();
    await test.db.query('update users set invited = true where id = $1', [userId]);
    const person = `${userId}@example.com`;
    await expect(operators.add({ person }, first)).rejects.toMatchObject({ code: 'address_not_verified' });
    expect(await isOperator(userId)).toBe(false);
    await test.db.query('update users set email_verified_at = now() where id = $1', [userId]);
    expect(await operators.add({ person }, first)).toMatchObject({ id: userId });
    const other = await addMember();
    await test.db.query('update users set invited = true where id = $1', [other]);
    expect(await operators.add({ person: other }, first)).toMatchObject({ id: other });
  });

  it('cannot remove themselves; the token can remove everyone and bring them back', async () => {
    const { operators } = test.gateway.operator;
    await expect(operators.remove(first.userId, first)).rejects.toMatchObject({ code: 'unsupported_value' });
    await operators.remove(first.userId, {});
    expect(await isOperator(first.userId)).toBe(false);
    await operators.add({ person: test.firstRun.owner.email }, {});
    expect(await isOperator(first.userId)).toBe(true);
  });

  it('cannot remove each other at the same moment, nor after they were removed themselves', async () => {
    const { operators } = test.gateway.operator;
    const second = { userId: await addMember() };
    await operators.add({ person: second.userId }, first);
    const results = await Promise.allSettled([
      operators.remove(second.userId, first),
      operators.remove(first.userId, second),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({
      code: 'role_required',
    });
    const left = await isOperator(first.userId);
    expect(await isOperator(second.userId)).toBe(!left);
    // For the other tests.
    if (!left) await operators.add({ person: first.userId }, second);
  });

  it('must have an account', async () => {
    for (const person of ['nobody@example.com', newId('user'), 'user_1'])
      await expect(test.gateway.operator.operators.add({ person }, first)).rejects.toMatchObject({
        code: 'account_not_found',
      });
    await expect(test.gateway.operator.operators.add({ person: 'a\0b' }, first)).rejects.toMatchObject({
      code: 'invalid_character',
      extra: { param: 'person' },
    });
    await expect(test.gateway.operator.operators.add({}, first)).rejects.toMatchObject({ extra: { param: 'person' } });
  });
});
