import type { KeyId, OrgId, ProjectId, SignInId, UserId } from './ids';
import type { OwnLimits } from './limits';
import type { PolicyLevel } from './policy';
import type { Mode } from './video';

// Callers and actors. A caller uses `/v1` with a key; an actor manages the organisation, from the console or by script.

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

/** `inference` allows `/v1`; `manage` allows the management routes. */
export type Scope = 'inference' | 'manage';

/** What a caller may do: its scopes, and the policies that narrow each other. */
export interface KeyPolicy {
  readonly scopes: readonly Scope[];
  /** The policies of the organisation, the project and the key that restrict anything, in this order; absent: none. */
  readonly levels?: readonly PolicyLevel[];
}

/** The organisation and API key behind a request. */
export interface Caller {
  readonly orgId: OrgId;
  readonly keyId: KeyId;
  readonly mode: Mode;
  readonly policy: KeyPolicy;
  /** Whether the key or its project has a spend limit. Cached together with the rest of the key. */
  readonly hasSpendLimit?: boolean;
  /** The project of the key. Cached like the other fields of the key. */
  readonly project?: { readonly id: ProjectId; readonly name: string };
  /**
   * The limits of the key or its organisation that differ from the configured ones. Cached like the other fields of the
   * key.
   */
  readonly limits?: OwnLimits;
  /**
   * For how many days the organisation keeps the conversations of messages; absent: not at all. Cached like the other
   * fields of the key.
   */
  readonly keepMessagesDays?: number;
  /**
   * For how many days the organisation keeps the texts of speech; absent: not at all. Cached like the other fields of
   * the key.
   */
  readonly keepSpeechDays?: number;
  /** The client's network address. Absent for tickets, which browsers may use from anywhere. */
  readonly address?: string;
  /**
   * Whether the caller was authenticated by a ticket (lib/accounts/tickets.ts) that a member or a `manage` key
   * requested.
   */
  readonly isByTicket?: true;
  /**
   * For a ticket and for a request of the console: the sign-in of the user, or the one that it replaced when the password
   * was entered again.
   */
  readonly signInOrigin?: SignInId;
}

/** A person in the console, or a key with the scope `manage`, that acts on the organisation. */
export interface Actor {
  readonly orgId: OrgId;
  readonly role: Role;
  readonly userId?: UserId;
  /** The sign-in of the person, if the request came from one. */
  readonly signInId?: SignInId;
  /** The sign-in of the person, or the one that it replaced when the password was entered again. */
  readonly signInOrigin?: SignInId;
  readonly keyId?: KeyId;
}

/** The two balance accounts of an organisation; live and test credits are never mixed. */
export interface Account {
  readonly orgId: OrgId;
  readonly mode: Mode;
}

/** Used in place of a key id for actions of a person in the console. */
const consoleKey = 'console';

// Safe: it is used as a key id everywhere except in lookups of keys.
export const consoleKeyId = consoleKey as KeyId;

export function isConsoleKey(id: KeyId): boolean {
  return id === consoleKeyId;
}
