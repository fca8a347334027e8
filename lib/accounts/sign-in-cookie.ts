import { decode } from 'next-auth/jwt';
import { GatewayError } from '../domain/errors';
import { ORGANIZATION_COOKIE } from '../domain/organization-choice';
import { inOrganization, type Accounts, type ActivePerson, type SignedIn } from './accounts';

// Reads the console's sign-in cookie from the header of a request, for the API and for the pages alike. next-auth writes
// the cookie and encrypts its content: only the id of a sign-in. Each request looks the sign-in up in the database, so a
// copied cookie stops working when the sign-in ends.

declare module 'next-auth/jwt' {
  interface JWT {
    signInId?: string;
  }
}

export interface SignInCookie {
  /**
   * Returns the sign-in id in the cookie; undefined if the header has no cookie of ours. The sign-in itself may have
   * ended.
   */
  readId(cookieHeader: string | undefined): Promise<string | undefined>;
  /** Returns the person of the cookie, unless the sign-in has ended. They may have left all organisations. */
  findPerson(cookieHeader: string | undefined): Promise<ActivePerson | undefined>;
  /**
   * Returns the person of the cookie and the organisation that the request is about. That is the `named` organisation,
   * which is the one of the page that sent the request; otherwise the one that the browser chose last (the cookie
   * ORGANIZATION_COOKIE); otherwise the first. Rejects with `not_a_member` if the person is not a member of the named
   * organisation, or of any.
   */
  findMember(cookieHeader: string | undefined, named?: string): Promise<SignedIn | undefined>;
}

export interface SignInCookieDeps {
  readonly baseUrl: string;
  /** The secret with which next-auth encrypts the cookie. */
  readonly secret: string;
  readonly accounts: Pick<Accounts, 'findSignIn' | 'recordSeen'>;
}

export function createSignInCookie({ baseUrl, secret, accounts }: SignInCookieDeps): SignInCookie {
  const name = cookieName(baseUrl, 'sign-in');

  async function readId(cookieHeader: string | undefined): Promise<string | undefined> {
    const token = cookieValue(cookieHeader, name);
    if (!token) return undefined;
    try {
      return (await decode({ token, secret }))?.signInId;
    } catch {
      // The cookie has expired, is from another installation, or is not a token at all.
      return undefined;
    }
  }

  async function findPerson(cookieHeader: string | undefined): Promise<ActivePerson | undefined> {
    const id = await readId(cookieHeader);
    return id === undefined ? undefined : accounts.findSignIn(id);
  }

  return {
    readId,
    findPerson,
    async findMember(cookieHeader, named) {
      const person = await findPerson(cookieHeader);
      if (!person) return undefined;
      const member =
        named === undefined
          ? (inOrganization(person, cookieValue(cookieHeader, ORGANIZATION_COOKIE)) ?? inOrganization(person))
          : inOrganization(person, named);
      if (!member) throw notAMember(named);
      await accounts.recordSeen(person.userId, member.orgId);
      return member;
    },
  };
}

function notAMember(named: string | undefined): GatewayError {
  return new GatewayError(
    'not_a_member',
    named === undefined
      ? 'You are not a member of any organisation. Create one in the console, or open an invitation.'
      : 'You are no longer a member of the organisation of this page. Reload the page to continue in another one.',
  );
}

/** Whether the console is served over https. */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

/**
 * Returns the full name of one of the console's cookies. Over https it has the `__Host-` prefix, so that sibling
 * domains cannot set it. Over plain http browsers do not store cookies with this prefix.
 */
export function cookieName(baseUrl: string, name: string): string {
  return `${isSecure(baseUrl) ? '__Host-' : ''}patchbay-${name}`;
}

/** Returns the last cookie of that name, as Next does. Our names and values contain nothing that would be encoded. */
function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/; */).findLast((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
