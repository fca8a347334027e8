import { randomBytes } from 'node:crypto';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { UserId } from '../domain/ids';
import type { Database } from '../db/database';
import { findPerson, findPersonByEmail, hasPeople, lockFirstPerson, markEmailVerified } from '../db/people';
import { findIdentity, insertIdentity, insertSignInLink, listServicesOf, spendSignInLink } from '../db/sign-ins';
import type { Mailer } from '../mail/mailer';
import { FRESH_SIGN_IN_MS, type ActivePerson, type Person } from './accounts';
import { makeFirstOrganization, type FirstOrganizationDeps } from './first-organization';
import { presentPerson } from './sign-in';
import { normalizeEmail } from '../contract/sign-in';
import { hashSecret } from './secrets';

// Signing in without our password. An external account is recognised by the service's own id, which the person
// connected while signed in here. A matching e-mail address is not enough, even if the service has verified it:
// addresses change hands, and a service may be wrong.

export interface SignInMethods {
  /** Whether sign-in links by e-mail are offered. */
  readonly mailsLinks: boolean;
  /**
   * Resolves to the person of an external account. The first person of an installation becomes its owner. `current` is
   * the sign-in of the same browser: if it is recent, an unknown external account is connected to its person.
   */
  signInElsewhere(account: AccountElsewhere, current?: ActivePerson): Promise<Person | { readonly refused: Refusal }>;
  /** Lists the services that the person has connected. */
  servicesOf(userId: UserId): Promise<readonly string[]>;
  /**
   * Mails a link to the person with that address, if there is one. Returns immediately, so that the response time does
   * not reveal whether there is.
   */
  sendLink(email: string): void;
  /** Uses up a link and resolves to its person. A link works once, within ten minutes. */
  spendLink(token: string): Promise<Person | undefined>;
}

export interface AccountElsewhere {
  readonly service: 'github' | 'google';
  readonly accountId: string;
  /** Only addresses that the service has verified. */
  readonly provenEmails: readonly string[];
  readonly name?: string | undefined;
}

/**
 * `no-proven-email`: the service has verified no address · `not-connected`: a person with that address exists but has
 * not connected this account · `no-account`: no person has that address.
 */
export type Refusal = 'no-proven-email' | 'not-connected' | 'no-account';

export interface SignInMethodsDeps extends FirstOrganizationDeps {
  readonly db: Database;
  readonly log: Log;
  readonly baseUrl: string;
  readonly mailer?: Mailer;
}

const LINK_MS = 10 * 60_000;
const LINK_SHAPE = /^[A-Za-z0-9_-]{43}$/;
const MAX_EMAIL_LENGTH = 254;

export function createSignInMethods(deps: SignInMethodsDeps): SignInMethods {
  const { db, clock, log, baseUrl, mailer } = deps;

  async function getPerson(userId: UserId): Promise<Person | undefined> {
    const person = await findPerson(db, userId);
    return person && presentPerson(person);
  }

  /** Creates the owner of an installation without people. Resolves to undefined if there are any. */
  async function makeFirst({ service, accountId, name }: AccountElsewhere, email: string): Promise<UserId | undefined> {
    if (await hasPeople(db)) return undefined;
    return db.inTransaction(async (tx) => {
      await lockFirstPerson(tx);
      if (await hasPeople(tx)) return undefined;
      const made = await makeFirstOrganization(deps, tx, {
        name: 'My organisation',
        owner: { email, name, passwordHash: null, emailVerifiedAt: clock.now() },
        liveCredits: 0n,
      });
      await insertIdentity(tx, { service, accountId, userId: made.userId, createdAt: clock.now() });
      return made.userId;
    });
  }

  async function mailLink(address: string): Promise<void> {
    if (!mailer) return;
    const person =
      address.length <= MAX_EMAIL_LENGTH && !address.includes('\0') ? await findPersonByEmail(db, address) : undefined;
    if (!person) return;
    const token = randomBytes(32).toString('base64url');
    await insertSignInLink(db, {
      hash: hashSecret(token),
      userId: person.userId,
      expiresAt: new Date(clock.nowMs() + LINK_MS),
    });
    // The token is in the fragment, which is not sent to servers and not logged.
    const link = `${baseUrl}/console/sign-in/link#${token}`;
    await mailer.send({
      to: person.email,
      subject: 'Your link to sign in to Patchbay',
      text: linkText(link, new URL(baseUrl).host),
    });
  }

  return {
    mailsLinks: mailer !== undefined,

    servicesOf: (userId) => listServicesOf(db, userId),

    async signInElsewhere(account, current) {
      const known = await findIdentity(db, account.service, account.accountId);
      const person = known && (await getPerson(known));
      if (person) return person;
      if (current && clock.nowMs() - current.signedInAtMs <= FRESH_SIGN_IN_MS) {
        await insertIdentity(db, {
          service: account.service,
          accountId: account.accountId,
          userId: current.userId,
          createdAt: clock.now(),
        });
        return current;
      }

      const emails = account.provenEmails.map(normalizeEmail).filter((email) => email.length <= MAX_EMAIL_LENGTH);
      const [first] = emails;
      if (first === undefined) return { refused: 'no-proven-email' };
      for (const email of emails) if (await findPersonByEmail(db, email)) return { refused: 'not-connected' };
      const made = await makeFirst(account, first);
      return (made && (await getPerson(made))) ?? { refused: 'no-account' };
    },

    sendLink(email) {
      mailLink(normalizeEmail(email)).catch((error: unknown) => {
        log.error('a link to sign in could not be mailed', { error: errorForLog(error) });
      });
    },

    async spendLink(token) {
      const userId = LINK_SHAPE.test(token) ? await spendSignInLink(db, hashSecret(token), clock.now()) : undefined;
      if (!userId) return undefined;
      await markEmailVerified(db, userId, clock.now());
      return getPerson(userId);
    },
  };
}

function linkText(link: string, host: string): string {
  return [
    `Open this link to sign in to Patchbay at ${host}:`,
    '',
    link,
    '',
    'It works once, within 10 minutes. If you did not request it, ignore this e-mail: without the link, no one can sign in.',
  ].join('\n');
}
