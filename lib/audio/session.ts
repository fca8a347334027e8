import type { Catalog } from '../catalog/catalog';
import type { Caller, KeyPolicy } from '../domain/caller';
import type { Clock } from '../domain/clock';
import type { GatewayError } from '../domain/errors';
import type { SessionId, ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { ProviderHealth } from '../routing/provider-health';
import type { SpeechRoutes } from '../routing/speech-routes';
import type { Channel } from './channel';
import type { Meters } from './meters';

/** What every session is made with. */
export interface SessionDeps {
  readonly catalog: Catalog;
  readonly routes: SpeechRoutes;
  readonly health: ProviderHealth;
  readonly meters: Meters;
  readonly clock: Clock;
  readonly log: Log;
}

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
  /** What it uses its key for at the moment; undefined while no model is at work. */
  using(): { readonly modelId: string; readonly providerId: ProviderId | undefined } | undefined;
  /** From now on this policy decides about what the caller asks for. */
  setPolicy(policy: KeyPolicy): void;
  /** Finishes what runs, says `done`, and closes as going away. */
  drain(): void;
  /** Ends at once with this error: the key was revoked, or no longer allows what the session does. */
  refuse(error: GatewayError): void;
  /** Resolves when nothing of the session runs any more and its bill is settled. */
  readonly ended: Promise<void>;
}

/** A bill is settled before the goodbye, but nobody waits longer than this for it. */
const SETTLE_WAIT_MS = 1_000;

/** Resolves with the work, or when it has had its time; it goes on all the same. */
export async function settledSoon(clock: Clock, work: Promise<unknown>): Promise<void> {
  const waited = new AbortController();
  await Promise.race([work, clock.sleep(SETTLE_WAIT_MS, waited.signal)]);
  waited.abort();
}
