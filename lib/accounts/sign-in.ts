import { GatewayError } from '../domain/errors';
import { isId, newId, type OrgId, type SignInId, type UserId } from '../domain/ids';
import { createLru } from '../io/lru';
import type { Database } from '../db/database';
import {
  findPerson,
  findPersonByEmail,
  findSignIn,
  hasPeople,
  lockFirstPerson,
  raiseSessionVersion,
  setPassword,
  type PersonRow,
  type SignInRow,
} from '../db/people';
import { touchMember } from '../db/members';
import { expireSignIn, insertSignIn, removeEndedSignIns, removeSignIn, touchSignIn } from '../db/sign-ins';
import { SIGN_IN_IDLE_MS, type Accounts, type Person } from './accounts';
import { makeFirstOrganization, type FirstOrganizationDeps } from './first-organization';
import { UNPRINTABLE } from '../contract/text-line';
import type { Passwords } from './password';
import { MAX_PASSWORD_LENGTH, normalizeEmail } from '../contract/sign-in';
import { parseNewPassword, parseSignUp } from './sign-up-request';

export interface SignIns extends Pick<
  Accounts,
  | 'verifyPassword'
  | 'beginSignIn'
  | 'findSignIn'
  | 'forgetPerson'
  | 'recordSeen'
  | 'endSignIn'
  | 'signOutEverywhere'
  | 'changePassword'
  | 'awaitsFirstUser'
  | 'signUpFirst'
> {
  /** Makes this process read the sign-ins of the organisation's members again. */
  forgetMembers(orgId: OrgId): void;
}

/** How long a sign-in is cached, and so still accepted after another process has ended it. */
const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 10_000;
/** A sign-in ends after this time, however often it is used. */
const MAX_SIGN_IN_MS = 30 * 24 * 60 * 60 * 1000;
/** The last-seen time is written at most this often. */
const SEEN_MS = 5 * 60_000;
/** How long a replaced sign-in stays valid: requests with its cookie may be in flight, also from other tabs. */
const REPLACED_MS = 2_000;
/** Longer than any address that can receive mail. */
const MAX_EMAIL_LENGTH = 254;

export interface SignInsDeps extends FirstOrganizationDeps {
  readonly db: Database;
  readonly passwords: Passwords;
}

export function createSignIns(deps: SignInsDeps): SignIns {
  const { db, clock, passwords } = deps;
  const remembered = createLru<SignInId, { found: SignInRow; readAtMs: number }>(MAX_REMEMBERED);
  /** When a member's last-seen time was last written, by person and organisation. */
  const seen = createLru<string, number>(MAX_REMEMBERED);
  let somebodyExists = false;

  async function findRemembered(id: SignInId): Promise<SignInRow | undefined> {
    const nowMs = clock.nowMs();
    const hit = remembered.get(id);
    if (hit && nowMs >= hit.readAtMs && nowMs - hit.readAtMs < REMEMBERED_MS) return hit.found;
    const found = await findSignIn(db, id);
    if (found) remembered.set(id, { found, readAtMs: nowMs });
    else remembered.delete(id);
    return found;
  }

  function forgetSignInsOf(userId: UserId): void {
    for (const [id, { found }] of remembered.entries()) if (found.person.userId === userId) remembered.delete(id);
  }

  return {
    async verifyPassword(email, password) {
      const address = normalizeEmail(email);
      const possible =
        address.length <= MAX_EMAIL_LENGTH && !UNPRINTABLE.test(address) && password.length <= MAX_PASSWORD_LENGTH;
      const person = possible ? await findPersonByEmail(db, address) : undefined;
      // Verified even if there is no such person: the response time must not reveal which accounts exist.
      const right = await passwords.verify(possible ? password : '', person?.passwordHash);
      return right && person?.passwordHash ? presentPerson(person) : undefined;
    },

    async beginSignIn({ userId, sessionVersion }, former) {
      const nowMs = clock.nowMs();
      const id = newId('signIn');
      const now = new Date(nowMs);
      let originId: SignInId | undefined;
      if (former !== undefined && isId('signIn', former)) {
        originId = await expireSignIn(db, former, userId, new Date(nowMs + REPLACED_MS));
        remembered.delete(former);
      }
      await insertSignIn(db, {
        id,
        userId,
        originId: originId ?? id,
        sessionVersion,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(nowMs + MAX_SIGN_IN_MS),
      });
      await removeEndedSignIns(db, now, new Date(nowMs - SIGN_IN_IDLE_MS));
      return id;
    },

    async findSignIn(id) {
      const found = isId('signIn', id) ? await findRemembered(id) : undefined;
      if (!found) return undefined;
      const { signIn, person } = found;
      const nowMs = clock.nowMs();
      const idleMs = nowMs - signIn.lastSeenAt.getTime();
      if (signIn.expiresAt.getTime() <= nowMs || idleMs >= SIGN_IN_IDLE_MS) return undefined;
      if (idleMs >= SEEN_MS) {
        const lastSeenAt = new Date(nowMs);
        found.signIn.lastSeenAt = lastSeenAt;
        await touchSignIn(db, signIn.id, lastSeenAt);
      }
      return {
        ...presentPerson(person),
        signInId: signIn.id,
        signInOrigin: signIn.originId,
        signedInAtMs: signIn.createdAt.getTime(),
      };
    },

    forgetPerson: forgetSignInsOf,

    forgetMembers(orgId) {
      for (const [id, { found }] of remembered.entries())
        if (found.person.memberships.some((each) => each.orgId === orgId)) remembered.delete(id);
    },

    async recordSeen(userId: UserId, orgId: OrgId) {
      const [member, nowMs] = [`${userId} ${orgId}`, clock.nowMs()];
      const sinceMs = nowMs - (seen.get(member) ?? -Infinity);
      if (sinceMs >= 0 && sinceMs < SEEN_MS) return;
      seen.set(member, nowMs);
      await touchMember(db, orgId, userId, new Date(nowMs));
    },

    async endSignIn(id) {
      if (!isId('signIn', id)) return;
      await removeSignIn(db, id);
      remembered.delete(id);
    },

    async signOutEverywhere(userId) {
      await raiseSessionVersion(db, userId);
      forgetSignInsOf(userId);
    },

    async changePassword({ userId, signInId }, body) {
      // Before the transaction: hashing is slow, and the embedded database has one connection.
      const passwordHash = await passwords.hash(parseNewPassword(body));
      await db.inTransaction((tx) => setPassword(tx, userId, passwordHash, signInId));
      forgetSignInsOf(userId);
    },

    async awaitsFirstUser() {
      // Cached, because it never becomes false again and the sign-in page needs it on every visit.
      somebodyExists ||= await hasPeople(db);
      return !somebodyExists;
    },

    async signUpFirst(body) {
      const { email, password, name, organization } = parseSignUp(body);
      if (await hasPeople(db)) throw alreadyTaken();
      // Before the transaction: hashing is slow, and the embedded database has one connection.
      const passwordHash = await passwords.hash(password);
      const userId = await db.inTransaction(async (tx) => {
        await lockFirstPerson(tx);
        if (await hasPeople(tx)) throw alreadyTaken();
        const made = await makeFirstOrganization(deps, tx, {
          name: organization ?? 'My organisation',
          owner: { email, name, passwordHash },
          liveCredits: 0n,
        });
        return made.userId;
      });
      const person = await findPerson(db, userId);
      if (!person) throw new Error('The first person was committed but cannot be read.');
      return presentPerson(person);
    },
  };
}

/** Converts a row to a person as the rest of the product uses it. */
export function presentPerson({ userId, email, name, sessionVersion, operatorSince, memberships }: PersonRow): Person {
  return {
    userId,
    email,
    ...(name === null ? {} : { name }),
    sessionVersion,
    ...(operatorSince && { isOperator: true }),
    memberships: memberships.map(({ orgId, orgName, orgSuspended, orgDeletesAt, orgLimits, role }) => ({
      orgId,
      orgName,
      orgSuspended,
      ...(orgDeletesAt && { orgDeletesAtMs: orgDeletesAt.getTime() }),
      ...(orgLimits && { orgLimits }),
      role,
    })),
  };
}

function alreadyTaken(): GatewayError {
  return new GatewayError(
    'role_required',
    'This installation already has an owner. Sign in, or ask the owner for an invitation.',
  );
}
