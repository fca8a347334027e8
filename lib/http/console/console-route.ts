import type { ActiveSignIn } from '../../accounts/accounts';
import type { Actor } from '../../domain/caller';
import type { Gateway } from '../../gateway';
import type { GatewayRequest, GatewayResponse } from '../request-context';

// The management routes, one endpoint a path. Each says who may call it; without that word it does not compile, and
// `answerConsole` is the only way to reach one.

export type ConsoleMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface ConsoleContext {
  readonly gateway: Gateway;
  readonly request: GatewayRequest;
  readonly requestId: string;
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export interface ActorContext extends ConsoleContext {
  readonly actor: Actor;
  /** Throws `reauthentication_required` unless the person signed in within the last ten minutes; for what only sometimes needs it. */
  checkFresh(): void;
}

export interface PersonContext extends ActorContext {
  readonly person: ActiveSignIn;
}

type Answer<E extends ConsoleContext> = (context: E) => Promise<GatewayResponse>;

/**
 * `stranger`: who is not signed in yet · `member`: every role, to look · `editor`: every role but viewer, to change things or
 * to see a secret · `person`: whoever is signed in, for what concerns the sign-in itself (a key is no person).
 */
export type ConsoleRoute =
  | { readonly who: 'stranger'; readonly answer: Answer<ConsoleContext> }
  | ({ readonly who: 'member' | 'editor'; readonly answer: Answer<ActorContext> } & Guarded)
  | ({ readonly who: 'person'; readonly answer: Answer<PersonContext> } & Guarded);

interface Guarded {
  /** Shows or makes a secret: a person must have signed in within the last ten minutes (a key is a secret itself). */
  readonly fresh?: true;
  /** The action under which success is written into the audit log, such as `key.created`. */
  readonly audit?: string;
}

export type ConsoleEndpoint = { readonly [method in ConsoleMethod]?: ConsoleRoute };
