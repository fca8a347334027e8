import type { KeyId, OrgId, SignInId, UserId } from './ids';
import type { Mode } from './video';

// Who is asking. A caller comes with a key over `/v1`; an actor manages the organisation, from the console or by script.

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

/** `inference` opens `/v1`; `manage` opens the management routes. */
export type Scope = 'inference' | 'manage';

/** What a key may be used for; an absent list allows everything of its kind. */
export interface KeyPolicy {
  readonly scopes: readonly Scope[];
  /** Catalog ids. */
  readonly allowedModels?: readonly string[];
  readonly allowedProviders?: readonly string[];
  /** Path prefixes below `/v1`, such as `/v1/videos`. */
  readonly allowedEndpoints?: readonly string[];
  /** CIDRs. */
  readonly allowedAddresses?: readonly string[];
}

/** The organisation and API key behind a request. */
export interface Caller {
  readonly orgId: OrgId;
  readonly keyId: KeyId;
  readonly mode: Mode;
  readonly policy: KeyPolicy;
  /** The key has a spend limit of its own; known as long as the rest of the key is remembered. */
  readonly hasSpendLimit?: boolean;
  /** The network address that sent the key. Absent for tickets, which browsers use from anywhere. */
  readonly address?: string;
  /** Came with a ticket (lib/accounts/tickets.ts) that somebody with the right to manage had asked for. */
  readonly isByTicket?: true;
  /** Of a ticket: the sign-in of the user who asked for it, or the one that it replaced when the password was given again. */
  readonly signInOrigin?: SignInId;
}

/** A person in the console, or a key with the scope `manage`, acting on the organisation. */
export interface Actor {
  readonly orgId: OrgId;
  readonly role: Role;
  readonly userId?: UserId;
  /** Of the person, where the request came with one. */
  readonly signInId?: SignInId;
  readonly keyId?: KeyId;
}

/** The two balance accounts of an organisation; live and test money never meet. */
export interface Account {
  readonly orgId: OrgId;
  readonly mode: Mode;
}

/** Stands in the place of a key for what a person does in the console itself. */
const consoleKey = 'console';

// Safe: a key id everywhere but in the table of keys, where it is never looked for.
export const consoleKeyId = consoleKey as KeyId;

export function isConsoleKey(id: KeyId): boolean {
  return id === consoleKeyId;
}
