import type { UnwrittenCharge } from '../billing/ledger';
import type { Account, Actor, Caller, Role } from '../domain/caller';
import type { CreditsJson } from '../contract/credits';
import type { CreatedKeyJson, KeyJson } from '../contract/keys';
import type { OrgId, SignInId, UserId } from '../domain/ids';
import type { LimitOverrides } from '../domain/limits';

// The accounts as the API and the console use them: authentication, rights and keys. `create-accounts.ts` implements
// them.

/** A sign-in expires after this long without use; the cookie has the same lifetime. */
export const SIGN_IN_IDLE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * An older sign-in may not reveal a secret or widen a key's rights, because the user may have left the screen
 * unattended.
 */
export const FRESH_SIGN_IN_MS = 10 * 60_000;

export interface Accounts {
  /**
   * Returns the caller behind an API key. Rejects with `missing_api_key`, `vendor_key_not_accepted`, `invalid_api_key`,
   * `revoked_api_key`, `expired_api_key`, `organization_suspended` or `ip_not_allowed`. A malformed key costs no query.
   */
  authenticate(credential: Credential, remoteAddress: string): Promise<Caller>;
  /** Returns the caller for a person in the console, with the policy of the organisation. */
  callerOfPeople(account: Account): Promise<Caller>;
  /**
   * Returns `{object:"credits", …}` of an account, as decimal strings. With `unwritten`, the amounts are those after
   * this charge is written.
   */
  credits(account: Account, unwritten?: readonly UnwrittenCharge[]): Promise<CreditsJson>;

  /**
   * Returns the actor behind a key with the scope `manage`. Its role is the weakest of admin, its maker's role when the
   * key was made, and its maker's role now. Rejects with `scope_required` for other keys, and after the maker has left
   * the organisation.
   */
  actorOfKey(caller: Caller): Promise<Actor>;
  listKeys(actor: Actor): Promise<readonly KeyJson[]>;
  /** Creates a key. Only this response contains the key itself. */
  createKey(actor: Actor, body: unknown): Promise<CreatedKeyJson>;
  /** `beforeWidening` is called before a change that gives the key more rights; it throws to refuse the change. */
  updateKey(actor: Actor, id: string, body: unknown, beforeWidening?: () => void): Promise<KeyJson>;
  /** Effective everywhere within 5 seconds. Safe to repeat. */
  revokeKey(actor: Actor, id: string): Promise<KeyJson>;
  /** Creates a new key with the same rights; the old one stays valid for `overlap_seconds` (0 to 604,800). */
  rotateKey(actor: Actor, id: string, body: unknown): Promise<CreatedKeyJson>;
  /** Refills the test balance to $1,000. */
  refillTestCredits(actor: Actor): Promise<CreditsJson>;

  /** Returns the person with this e-mail and password; undefined if either is wrong. Both cases take the same time. */
  verifyPassword(email: string, password: string): Promise<Person | undefined>;
  /**
   * Starts a sign-in for a person who has just been authenticated. The new sign-in replaces `former`, the previous
   * sign-in of the same browser.
   */
  beginSignIn(person: Pick<Person, 'userId' | 'sessionVersion'>, former?: string): Promise<SignInId>;
  /**
   * Returns the sign-in with this id, unless it has ended. If another process ends the sign-in or changes a membership,
   * this takes effect within 5 seconds.
   */
  findSignIn(id: string): Promise<ActivePerson | undefined>;
  /** Makes this process read the memberships of a person again. */
  forgetPerson(userId: UserId): void;
  /** Makes this process read the organisation again, with its keys and the sign-ins of its members. */
  forgetOrganization(orgId: OrgId): void;
  /** Records that the person uses the organisation now. Written at most once every few minutes. */
  recordSeen(userId: UserId, orgId: OrgId): Promise<void>;
  /** Ends one sign-in. Safe to repeat. */
  endSignIn(id: string): Promise<void>;
  /** Ends every sign-in of the person. */
  signOutEverywhere(userId: UserId): Promise<void>;
  /** Sets the person's password from `{"password"}`, and ends all of their sign-ins but this one. */
  changePassword(signIn: ActivePerson, body: unknown): Promise<void>;
  /** True until the first sign-up, whose person becomes the owner. */
  awaitsFirstUser(): Promise<boolean>;
  /** Creates the first person, the organisation and the owner's membership; `role_required` if a person exists. */
  signUpFirst(body: unknown): Promise<Person>;
}

/**
 * The credentials of a request: the `authorization` header as sent, and the key of `x-api-key` (empty if the header is
 * empty, absent where that header is not accepted).
 */
export interface Credential {
  readonly authorization?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface Person {
  readonly userId: UserId;
  readonly email: string;
  readonly name?: string;
  readonly sessionVersion: number;
  /** Operates the installation in the console. */
  readonly isOperator?: true;
  /** The organisation that they joined first comes first; empty for a person who has left all. */
  readonly memberships: readonly Membership[];
}

export interface Membership {
  readonly orgId: OrgId;
  readonly orgName: string;
  /** Whether the organisation is suspended. If so, the console is read-only. */
  readonly orgSuspended: boolean;
  /** Unix milliseconds at which the organisation is erased; until then it is read-only. */
  readonly orgDeletesAtMs?: number;
  /** The limits of the organisation that differ from the configured ones. */
  readonly orgLimits?: LimitOverrides;
  readonly role: Role;
}

/** A person with the sign-in of the request. */
export interface ActivePerson extends Person {
  readonly signInId: SignInId;
  /** This sign-in, or the one that it replaced when the password was entered again. */
  readonly signInOrigin: SignInId;
  /** Unix milliseconds of the last proof of identity (a password or an alternative). */
  readonly signedInAtMs: number;
}

/** A signed-in person with the organisation that the request is about. */
export interface SignedIn extends ActivePerson, Membership {}

/**
 * Returns the person as a member of this organisation, by default of the one that they joined first; undefined if they
 * are not a member.
 */
export function inOrganization(person: ActivePerson, orgId?: string): SignedIn | undefined {
  const membership = person.memberships.find((each) => orgId === undefined || each.orgId === orgId);
  return membership && { ...person, ...membership };
}
