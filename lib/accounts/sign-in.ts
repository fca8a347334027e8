import { LRUCache } from 'lru-cache';
import { GatewayError } from '../domain/errors';
import type { UserId } from '../domain/ids';
import { isId } from '../domain/ids';
import { parseUsd } from '../domain/money';
import type { Database } from '../db/database';
import { findPerson, findPersonByEmail, hasPeople, lockFirstPerson, raiseSessionVersion, type PersonRow } from '../db/people';
import type { Accounts, SignedIn } from './accounts';
import { makeFirstOrganization, type FirstOrganizationDeps } from './first-organization';
import { UNPRINTABLE } from './parse-body';
import { createPasswords } from './password';
import { LONGEST_PASSWORD, normalizeEmail, parseSignUp } from './sign-up-request';

export type SignIns = Pick<Accounts, 'verifyPassword' | 'findSignIn' | 'signOutEverywhere' | 'awaitsFirstUser' | 'signUpFirst'>;

/** A sign-in that was ended in another process is believed for this long. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 10_000;
/** Longer than any address that can receive mail. */
const LONGEST_EMAIL = 254;

export function createSignIns(deps: FirstOrganizationDeps & { readonly db: Database }): SignIns {
  const { db, clock } = deps;
  const passwords = createPasswords();
  const remembered = new LRUCache<UserId, { person: PersonRow; readAtMs: number }>({ max: MOST_REMEMBERED });
  let somebodyExists = false;

  async function findRemembered(userId: UserId): Promise<PersonRow | undefined> {
    const nowMs = clock.nowMs();
    const hit = remembered.get(userId);
    if (hit && nowMs >= hit.readAtMs && nowMs - hit.readAtMs < REMEMBERED_MS) return hit.person;
    const person = await findPerson(db, userId);
    if (person) remembered.set(userId, { person, readAtMs: nowMs });
    else remembered.delete(userId);
    return person;
  }

  return {
    async verifyPassword(email, password) {
      const address = normalizeEmail(email);
      const possible = address.length <= LONGEST_EMAIL && !UNPRINTABLE.test(address) && password.length <= LONGEST_PASSWORD;
      const person = possible ? await findPersonByEmail(db, address) : undefined;
      // Also for nobody: the time must not tell who has an account.
      const right = await passwords.verify(possible ? password : '', person?.passwordHash);
      return right && person?.passwordHash ? presentSignIn(person) : undefined;
    },

    async findSignIn(userId, sessionVersion) {
      if (!isId('user', userId)) return undefined;
      let person = await findRemembered(userId);
      if (person && person.sessionVersion < sessionVersion) {
        // Signed in after somebody's sign-ins were ended, and sooner than the memory of it has faded.
        remembered.delete(userId);
        person = await findRemembered(userId);
      }
      return person?.sessionVersion === sessionVersion ? presentSignIn(person) : undefined;
    },

    async signOutEverywhere(userId) {
      await raiseSessionVersion(db, userId);
      remembered.delete(userId);
    },

    async awaitsFirstUser() {
      // Once somebody exists, somebody always will; asked at each visit of the sign-in page.
      somebodyExists ||= await hasPeople(db);
      return !somebodyExists;
    },

    async signUpFirst(body) {
      const { email, password, name, organization } = parseSignUp(body);
      if (await hasPeople(db)) throw alreadyTaken();
      // Before the transaction: the work takes long, and the embedded database has one connection.
      const passwordHash = await passwords.hash(password);
      const userId = await db.inTransaction(async (tx) => {
        await lockFirstPerson(tx);
        if (await hasPeople(tx)) throw alreadyTaken();
        const made = await makeFirstOrganization(deps, tx, {
          name: organization ?? 'My organisation',
          owner: { email, name, passwordHash },
          liveCredits: 0n,
          testCredits: parseUsd('1000'),
        });
        return made.userId;
      });
      const person = await findPerson(db, userId);
      if (!person) throw new Error('The first person was committed and cannot be read.');
      return presentSignIn(person);
    },
  };
}

/** A person as the rest of the house knows one. */
export function presentSignIn(person: PersonRow): SignedIn {
  const { userId, email, name, sessionVersion, orgId, orgName, orgSuspended, role } = person;
  return { userId, email, ...(name === null ? {} : { name }), sessionVersion, orgId, orgName, orgSuspended, role };
}

function alreadyTaken(): GatewayError {
  return new GatewayError('role_required', 'This installation has its owner already. Sign in, or ask the owner.');
}
