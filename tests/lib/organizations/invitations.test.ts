import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivePerson } from '../../../lib/accounts/accounts';
import { presentPerson } from '../../../lib/accounts/sign-in';
import type { Database } from '../../../lib/db/database';
import { findPerson, markEmailVerified } from '../../../lib/db/people';
import type { Actor, Role } from '../../../lib/domain/caller';
import { codeOf } from '../../../lib/domain/errors';
import { newId, type KeyId, type UserId } from '../../../lib/domain/ids';
import { createWindowCounters } from '../../../lib/limits/window-counters';
import { createInvitations, type Invitations } from '../../../lib/organizations/invitations';
import { createMembers } from '../../../lib/organizations/members';
import { openTestDatabase } from '../../support/database';
import { recordLog } from '../../support/log';
import { cheapPasswords } from '../../support/passwords';
import { handClock, makeAccounts, makeMember, makeOrganization } from '../accounts/make-accounts';

const DAY_MS = 86_400_000;
const ADDRESS = '192.0.2.1';
const clock = handClock();
const log = recordLog();
const passwords = cheapPasswords();
let db: Database;
let mails: { to: string; subject: string; text: string }[];
let mailFails: boolean;
let invitations: Invitations;

const make = (mails_ = true) => {
  const { accounts } = makeAccounts(db, clock, passwords);
  const mailer = {
    send: async (mail: (typeof mails)[number]) => {
      if (mailFails) throw new Error('The mail server is away.');
      mails.push(mail);
    },
  };
  return createInvitations({
    db,
    clock,
    log,
    baseUrl: 'https://console.example',
    mailer: mails_ ? mailer : undefined,
    counters: createWindowCounters({ clock, processes: () => 1 }),
    passwords,
    accounts,
  });
};

beforeAll(async () => {
  db = await openTestDatabase();
});
beforeEach(() => {
  mails = [];
  mailFails = false;
  invitations = make();
});
afterAll(() => db.close());

const refused = (work: Promise<unknown>) => work.then(() => 'done', codeOf);
const tokenOf = (link: string) => link.split('#')[1] ?? '';
let people = 0;
const someEmail = () => `person-${(people += 1)}@example.com`;

async function scene() {
  const { orgId, owner, userId } = await makeOrganization(db, clock);
  return {
    orgId,
    owner: { ...owner, userId },
    admin: await makeMember(db, clock, orgId, 'admin'),
    developer: await makeMember(db, clock, orgId, 'developer'),
  };
}

async function signedIn(userId: UserId): Promise<ActivePerson> {
  const signInId = newId('signIn');
  const person = presentPerson((await findPerson(db, userId))!);
  return { ...person, signInId, signInOrigin: signInId, signedInAtMs: clock.nowMs() };
}

/** A person of another organisation. */
const newPerson = async () => signedIn((await makeOrganization(db, clock)).userId);

describe('an invitation', () => {
  test('of an admin lets a person with an account join in its role, once', async () => {
    const { orgId, admin } = await scene();
    const made = await invitations.create(admin, { role: 'developer' });
    expect(made).toMatchObject({ object: 'invitation', role: 'developer', email: null, mail: 'none', expired: false });
    const token = tokenOf(made.link);
    expect(await invitations.open({ token }, ADDRESS)).toEqual({
      object: 'opened_invitation',
      organization: 'Example',
      role: 'developer',
      email: null,
      account_exists: false,
      expires_at: clock.nowMs() / 1000 + 7 * 86_400,
    });
    const person = await newPerson();
    clock.pass(1);
    const { json } = await invitations.accept(person, { token }, ADDRESS);
    expect(json).toMatchObject({ organization: { id: orgId, name: 'Example' }, role: 'developer' });
    expect((await signedIn(person.userId)).memberships).toMatchObject([
      { role: 'owner' },
      { orgId, role: 'developer' },
    ]);
    expect(await refused(invitations.accept(await newPerson(), { token }, ADDRESS))).toBe('invitation_not_found');
    expect(await refused(invitations.open({ token }, ADDRESS))).toBe('invitation_not_found');
  });

  test('is used once, also by several people at the same time', async () => {
    const { admin } = await scene();
    const { link } = await invitations.create(admin, { role: 'viewer' });
    const asked = await Promise.all([newPerson(), newPerson(), newPerson()]);
    const outcomes = await Promise.all(
      asked.map((person) => refused(invitations.accept(person, { token: tokenOf(link) }, ADDRESS))),
    );
    expect(outcomes.toSorted()).toEqual(['done', 'invitation_not_found', 'invitation_not_found']);
  });

  test('is not used up by a person who is a member already', async () => {
    const { admin, developer } = await scene();
    const token = tokenOf((await invitations.create(admin, { role: 'viewer' })).link);
    expect(await refused(invitations.accept(await signedIn(developer.userId), { token }, ADDRESS))).toBe(
      'already_member',
    );
    expect(await refused(invitations.accept(await newPerson(), { token }, ADDRESS))).toBe('done');
  });

  test('ends after seven days, and can be sent again with a new link', async () => {
    const { admin, orgId } = await scene();
    const first = await invitations.create(admin, { role: 'viewer' });
    clock.pass(7 * DAY_MS - 1);
    expect(await refused(invitations.open({ token: tokenOf(first.link) }, ADDRESS))).toBe('done');
    clock.pass(1);
    expect(await refused(invitations.open({ token: tokenOf(first.link) }, ADDRESS))).toBe('invitation_not_found');
    expect(await refused(invitations.accept(await newPerson(), { token: tokenOf(first.link) }, ADDRESS))).toBe(
      'invitation_not_found',
    );
    expect((await invitations.list(admin)).data).toMatchObject([{ id: first.id, expired: true }]);

    const again = await invitations.resend(admin, first.id);
    expect(again.link).not.toBe(first.link);
    expect((await invitations.list({ ...admin, orgId })).data).toMatchObject([{ id: first.id, expired: false }]);
    expect(await refused(invitations.open({ token: tokenOf(first.link) }, ADDRESS))).toBe('invitation_not_found');
    expect(await refused(invitations.accept(await newPerson(), { token: tokenOf(again.link) }, ADDRESS))).toBe('done');
  });

  test('that was withdrawn opens nothing', async () => {
    const { admin } = await scene();
    const made = await invitations.create(admin, { role: 'viewer', email: someEmail() });
    expect(await invitations.revoke(admin, made.id)).toMatchObject({ role: 'viewer', email: made.email });
    expect(await refused(invitations.open({ token: tokenOf(made.link) }, ADDRESS))).toBe('invitation_not_found');
    expect(await refused(invitations.revoke(admin, made.id))).toBe('invitation_not_found');
  });

  test('of an organisation that is being deleted opens nothing', async () => {
    const { admin, orgId } = await scene();
    const { link } = await invitations.create(admin, { role: 'viewer' });
    await db.query('update organizations set deletes_at = now() where id = $1', [orgId]);
    expect(await refused(invitations.open({ token: tokenOf(link) }, ADDRESS))).toBe('invitation_not_found');
    expect(await refused(invitations.accept(await newPerson(), { token: tokenOf(link) }, ADDRESS))).toBe(
      'invitation_not_found',
    );
  });

  test('is stored only as a hash', async () => {
    const { admin, orgId } = await scene();
    const { link } = await invitations.create(admin, { role: 'viewer' });
    const { rows } = await db.query('select * from invitations where org_id = $1', [orgId]);
    expect(rows[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(link));
    expect(JSON.stringify(await invitations.list(admin))).not.toContain(tokenOf(link));
  });

  test('ends with the membership, or the role, of the person who made it', async () => {
    const { owner, admin } = await scene();
    const members = createMembers({ db, accounts: { forgetPerson: () => undefined } });
    const { link } = await invitations.create(admin, { role: 'viewer' });
    await members.changeRole(owner, admin.userId, { role: 'developer' });
    expect(await refused(invitations.open({ token: tokenOf(link) }, ADDRESS))).toBe('invitation_not_found');
  });

  test('that appoints an owner ends when the person who made it is no owner any more; others stay', async () => {
    const { orgId, owner, admin } = await scene();
    const second = await makeMember(db, clock, orgId, 'owner');
    const members = createMembers({ db, accounts: { forgetPerson: () => undefined } });
    const invite = async (actor: Actor, role: Role) => tokenOf((await invitations.create(actor, { role })).link);
    const opens = (token: string) => refused(invitations.open({ token }, ADDRESS));
    const [ofFirst, ofSecond, viewer] = [
      await invite(owner, 'owner'),
      await invite(second, 'owner'),
      await invite(second, 'viewer'),
    ];

    await members.changeRole(owner, second.userId, { role: 'admin' });
    expect([await opens(ofFirst), await opens(ofSecond), await opens(viewer)]).toEqual([
      'done',
      'invitation_not_found',
      'done',
    ]);
    await members.transferOwnership(owner, admin.userId);
    expect(await opens(ofFirst)).toBe('invitation_not_found');
    expect(await opens(viewer)).toBe('done');
  });

  test('made with a key ends with the membership of the person who made the key', async () => {
    const { orgId, owner, admin } = await scene();
    const { accounts } = makeAccounts(db, clock, passwords);
    const key = await accounts.createKey(admin, { name: 'Robot', mode: 'live', scopes: ['manage'] });
    const byKey: Actor = { orgId, role: 'admin', keyId: key.id as KeyId };
    const { id, link, invited_by: inviter } = await invitations.create(byKey, { role: 'viewer' });
    expect(inviter).toBe((await findPerson(db, admin.userId))?.email);
    const again = await invitations.resend(byKey, id);
    expect(await refused(invitations.open({ token: tokenOf(again.link) }, ADDRESS))).toBe('done');

    await createMembers({ db, accounts }).remove(owner, admin.userId);
    for (const token of [link, again.link].map(tokenOf))
      expect(await refused(invitations.open({ token }, ADDRESS))).toBe('invitation_not_found');
  });
});

describe('who may invite', () => {
  test('are admins and owners; owners alone invite owners', async () => {
    const { owner, admin, developer } = await scene();
    expect(await refused(invitations.create(developer, { role: 'viewer' }))).toBe('role_required');
    expect(await refused(invitations.list(developer))).toBe('role_required');
    expect(await refused(invitations.create(admin, { role: 'owner' }))).toBe('role_required');
    const made = await invitations.create(owner, { role: 'owner' });
    expect(await refused(invitations.resend(admin, made.id))).toBe('role_required');
    expect((await invitations.list(admin)).data).toMatchObject([
      { role: 'owner', invited_by: expect.stringContaining('@') },
    ]);
  });

  test('is judged by the present role', async () => {
    const { owner, admin } = await scene();
    const members = createMembers({ db, accounts: { forgetPerson: () => undefined } });
    await members.changeRole(owner, admin.userId, { role: 'viewer' });
    expect(await refused(invitations.create(admin, { role: 'viewer' }))).toBe('role_required');
  });

  test('see nothing of another organisation', async () => {
    const { admin } = await scene();
    const elsewhere = await scene();
    const { id } = await invitations.create(elsewhere.admin, { role: 'viewer' });
    expect((await invitations.list(admin)).data).toEqual([]);
    expect(await refused(invitations.resend(admin, id))).toBe('invitation_not_found');
    expect(await refused(invitations.revoke(admin, id))).toBe('invitation_not_found');
  });

  test('make at most 50 links in an hour, and at most 100 invitations', async () => {
    const { admin, orgId } = await scene();
    for (let index = 0; index < 50; index += 1) await invitations.create(admin, { role: 'viewer' });
    expect(await refused(invitations.create(admin, { role: 'viewer' }))).toBe('rate_limit_exceeded');
    clock.pass(60 * 60_000);
    for (let index = 0; index < 50; index += 1) await invitations.create(admin, { role: 'viewer' });
    clock.pass(60 * 60_000);
    expect(await refused(invitations.create(admin, { role: 'viewer' }))).toBe('unsupported_value');
    const { rows } = await db.query('select count(*)::int as made from invitations where org_id = $1', [orgId]);
    expect(rows).toEqual([{ made: 100 }]);
  });
});

describe('an invitation for an address', () => {
  test('is mailed, and the link is shown too', async () => {
    const { admin } = await scene();
    const email = someEmail();
    const made = await invitations.create(admin, { role: 'developer', email: ` ${email.toUpperCase()}` });
    expect(made).toMatchObject({ email, mail: 'sent' });
    expect(mails).toMatchObject([{ to: email, subject: 'You are invited to Example on Patchbay' }]);
    expect(mails[0]?.text).toContain(made.link);
    expect(mails[0]?.text).toContain('as developer');
  });

  test('says whether the e-mail could be sent', async () => {
    const { admin } = await scene();
    mailFails = true;
    expect(await invitations.create(admin, { role: 'viewer', email: someEmail() })).toMatchObject({ mail: 'failed' });
    const withoutMail = make(false);
    expect(await withoutMail.create(admin, { role: 'viewer', email: someEmail() })).toMatchObject({ mail: 'none' });
    expect([(await invitations.list(admin)).mail, (await withoutMail.list(admin)).mail]).toEqual([true, false]);
  });

  test('is refused to an account with another address, and stays', async () => {
    const { admin } = await scene();
    const person = await newPerson();
    const { link } = await invitations.create(admin, { role: 'viewer', email: person.email });
    const token = tokenOf(link);
    expect(await invitations.open({ token }, ADDRESS)).toMatchObject({ email: person.email, account_exists: true });
    expect(await refused(invitations.accept(await newPerson(), { token }, ADDRESS))).toBe('invitation_not_for_you');
    const stranger = { token, email: someEmail(), password: 'long enough 1' };
    expect(await refused(invitations.signUp(stranger, ADDRESS))).toBe('invitation_not_for_you');
    expect(await refused(invitations.accept(person, { token }, ADDRESS))).toBe('done');
  });

  test('is not made for a member', async () => {
    const { admin, developer } = await scene();
    const { email } = await signedIn(developer.userId);
    expect(await refused(invitations.create(admin, { role: 'viewer', email }))).toBe('already_member');
  });
});

describe('signing up with an invitation', () => {
  test('makes an account with its password, in the organisation, with an unverified address', async () => {
    const { admin, orgId } = await scene();
    const email = someEmail();
    const { link } = await invitations.create(admin, { role: 'developer', email });
    const { userId, json } = await invitations.signUp(
      { token: tokenOf(link), password: 'correct horse', name: 'Grace' },
      ADDRESS,
    );
    expect(json).toMatchObject({ email, role: 'developer', organization: { id: orgId } });
    const { accounts } = makeAccounts(db, clock, passwords);
    expect(await accounts.verifyPassword(email, 'correct horse')).toMatchObject({
      userId,
      name: 'Grace',
      memberships: [{ orgId, role: 'developer' }],
    });
    expect((await findPerson(db, userId))?.emailVerifiedAt).toBeNull();
  });

  test('needs an address if the invitation names none', async () => {
    const { admin } = await scene();
    const token = tokenOf((await invitations.create(admin, { role: 'viewer' })).link);
    expect(await refused(invitations.signUp({ token, password: 'long enough 1' }, ADDRESS))).toBe(
      'missing_required_parameter',
    );
    const email = someEmail();
    expect((await invitations.signUp({ token, email, password: 'long enough 1' }, ADDRESS)).json.email).toBe(email);
  });

  test('is refused for an address that has an account, which keeps its password; the invitation stays', async () => {
    const { admin } = await scene();
    const person = await newPerson();
    const before = (await findPerson(db, person.userId))?.passwordHash;
    const token = tokenOf((await invitations.create(admin, { role: 'viewer', email: person.email })).link);
    expect(await refused(invitations.signUp({ token, password: 'another password' }, ADDRESS))).toBe('account_exists');
    expect((await findPerson(db, person.userId))?.passwordHash).toBe(before);
    expect(await refused(invitations.accept(person, { token }, ADDRESS))).toBe('done');
  });

  test('with a used link makes no account', async () => {
    const { admin } = await scene();
    const token = tokenOf((await invitations.create(admin, { role: 'viewer' })).link);
    const bodies = [1, 2, 3].map(() => ({ token, email: someEmail(), password: 'long enough 1' }));
    const outcomes = await Promise.all(bodies.map((body) => refused(invitations.signUp(body, ADDRESS))));
    expect(outcomes.toSorted()).toEqual(['done', 'invitation_not_found', 'invitation_not_found']);
    const { rows } = await db.query('select email from users where email = any($1)', [
      bodies.map(({ email }) => email),
    ]);
    expect(rows).toHaveLength(1);
  });

  test('leaves no password that another person may have set, once the address is verified', async () => {
    const { admin } = await scene();
    const email = someEmail();
    const { link } = await invitations.create(admin, { role: 'viewer', email });
    const { userId } = await invitations.signUp({ token: tokenOf(link), password: 'set by the inviter' }, ADDRESS);
    await markEmailVerified(db, userId, clock.now());
    expect((await findPerson(db, userId))?.passwordHash).toBeNull();
    const { userId: owner } = await makeOrganization(db, clock);
    await markEmailVerified(db, owner, clock.now());
    expect((await findPerson(db, owner))?.passwordHash).not.toBeNull();
  });
});

describe('a link', () => {
  test.each(['', 'x', 'a'.repeat(42), `${'a'.repeat(42)}!`, 'a'.repeat(44)])(
    'of the form %j is refused',
    async (token) => {
      expect(await refused(invitations.open({ token }, ADDRESS))).toBe('unsupported_value');
    },
  );

  test('can be tried 60 times in 15 minutes from one network', async () => {
    const token = 'a'.repeat(43);
    for (let index = 0; index < 60; index += 1)
      expect(await refused(invitations.open({ token }, ADDRESS))).toBe('invitation_not_found');
    expect(await refused(invitations.open({ token }, ADDRESS))).toBe('rate_limit_exceeded');
    expect(await refused(invitations.open({ token }, '198.51.100.7'))).toBe('invitation_not_found');
    clock.pass(15 * 60_000);
    expect(await refused(invitations.open({ token }, ADDRESS))).toBe('invitation_not_found');
  });
});
