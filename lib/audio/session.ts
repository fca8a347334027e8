import type { Caller } from '../domain/caller';
import type { GatewayError } from '../domain/errors';
import type { SessionId } from '../domain/ids';
import type { Channel } from './channel';

/** What a session begins with; who it is has been checked. */
export interface SessionStart {
  readonly channel: Channel;
  readonly caller: Caller;
  /** A scenario named in the header or the query; the session decides whether it may be obeyed. */
  readonly scenario?: string;
}

/** A running session as its keeper sees it. */
export interface Session {
  readonly id: SessionId;
  /** Finishes what runs, says `done`, and closes as going away. */
  drain(): void;
  /** Ends at once with this error: the key was revoked. */
  refuse(error: GatewayError): void;
  /** Resolves when nothing of the session runs any more and its bill is settled. */
  readonly ended: Promise<void>;
}
