import type { ActiveSignIn } from '../../accounts/accounts';
import type { Actor } from '../../domain/caller';
import type { Gateway } from '../../gateway';
import type { GatewayRequest, GatewayResponse } from '../request-context';

// The management routes, one endpoint for each path. The type requires every route to declare who may call it, and
// `answerConsole` is the only code that calls a route.

export type ConsoleMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface ConsoleContext {
  readonly gateway: Gateway;
  readonly request: GatewayRequest;
  readonly requestId: string;
  /** The named parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export interface ActorContext extends ConsoleContext {
  readonly actor: Actor;
  /**
   * Throws `reauthentication_required` unless the person signed in within the last ten minutes. For routes that need
   * this only in some cases.
   */
  checkFresh(): void;
}

export interface PersonContext extends ActorContext {
  readonly person: ActiveSignIn;
}

type Answer<E extends ConsoleContext> = (context: E) => Promise<GatewayResponse>;

/**
 * `stranger`: not signed in · `member`: every role, read only · `editor`: every role but viewer, to make changes or see
 * a secret · `person`: a signed-in user, for endpoints that manage the sign-in itself; API keys are refused.
 */
export type ConsoleRoute =
  | { readonly who: 'stranger'; readonly answer: Answer<ConsoleContext> }
  | ({ readonly who: 'member' | 'editor'; readonly answer: Answer<ActorContext> } & Guarded)
  | ({ readonly who: 'person'; readonly answer: Answer<PersonContext> } & Guarded);

interface Guarded {
  /**
   * Shows or creates a secret: a user must have signed in within the last ten minutes (not required for a key, which is
   * a secret itself).
   */
  readonly fresh?: true;
  /** The action that the audit log records for a success, such as `key.created`. */
  readonly audit?: string;
}

export type ConsoleEndpoint = { readonly [method in ConsoleMethod]?: ConsoleRoute };
