import type { CurrentCatalog } from '../catalog/catalog';
import type { ContentWriter } from '../contents/content-writer';
import type { ConnectionUse } from '../accounts/key-revocation-watch';
import type { Caller, KeyPolicy } from '../domain/caller';
import type { Clock } from '../domain/clock';
import type { GatewayError } from '../domain/errors';
import type { SessionId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { ProviderHealth } from '../routing/provider-health';
import type { ServedBy } from '../routing/provider-directory';
import type { Routers } from '../routing/router';
import type { Channel } from './channel';
import type { Meters } from './meters';

/** The dependencies of every session. */
export interface SessionDeps {
  readonly catalog: CurrentCatalog;
  readonly routers: Pick<Routers, 'stt' | 'tts'>;
  readonly health: ProviderHealth;
  readonly meters: Meters;
  /** For organisations that keep the texts of speech. */
  readonly contents: ContentWriter;
  readonly clock: Clock;
  readonly log: Log;
}

/** The start parameters of a session; the caller is already authenticated. */
export interface SessionStart {
  readonly channel: Channel;
  readonly caller: Caller;
  /** The providers that serve the session to its end, even if a credential is removed in the meantime. */
  readonly by: ServedBy;
  /** The W3C header of the same name of the upgrade. */
  readonly traceparent?: string | undefined;
  /** The scenario named in the header or the query. The session decides whether it applies. */
  readonly scenario?: string | undefined;
  /**
   * Receives each error that is sent to the client, for callers inside this process: the message to the client contains
   * only its status.
   */
  readonly onError?: ((error: GatewayError) => void) | undefined;
}

/** A running session as `AudioSessions` sees it. */
export interface Session {
  readonly id: SessionId;
  /** What the session currently uses its key for; undefined while no model is in use. */
  using(): ConnectionUse | undefined;
  /** Sets the policy that applies to all further requests of the caller. */
  setPolicy(policy: KeyPolicy): void;
  /** Finishes running work, sends `done`, and closes with "going away". */
  drain(): void;
  /** Ends immediately with this error: the key was revoked, or no longer allows this use. */
  refuse(error: GatewayError): void;
  /** Resolves when all work of the session has ended and its charge is settled. */
  readonly ended: Promise<void>;
}

/** The charge is settled before the close frame is sent, but the close waits no longer than this. */
const SETTLE_WAIT_MS = 1_000;

/** Resolves with the work, or after SETTLE_WAIT_MS; the work then continues in the background. */
export async function settledSoon(clock: Clock, work: Promise<unknown>): Promise<void> {
  const waited = new AbortController();
  await Promise.race([work, clock.sleep(SETTLE_WAIT_MS, waited.signal)]);
  waited.abort();
}
