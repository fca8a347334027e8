import { isConsoleKey, type Caller, type KeyPolicy } from '../domain/caller';
import { currentPeriods, type Cancel, type Clock } from '../domain/clock';
import { errorForLog, GatewayError, isGatewayError } from '../domain/errors';
import type { OrgId, ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Price } from '../domain/policy';
import type { Db } from '../db/database';
import { findKeysById, findOrganizations, type KeyWithSpend, type OrganizationRow } from '../db/keys';
import { isClosedRow } from '../db/organizations';
import { findLiveSignInUses, type SignInUse } from '../db/people';
import {
  allowedBindings,
  checkAddressAccess,
  checkEndpointAccess,
  checkModelAccess,
  checkPriceAccess,
  checkScope,
} from './access';
import { policyOf, policyOfPeople } from './key-lookup';

// Sockets, streams and downloads stay open for minutes and hours. If their key is revoked or loses the rights they use,
// they must end within five seconds. One query every few seconds checks all open connections of this process. Only the
// result of a query ends connections: if it fails or is slow, none ends.

export interface KeyRevocationWatch {
  /** Watches an open connection until it is cancelled or `onEnd` has been called. */
  watch(caller: Caller, connection: Connection): Cancel;
}

/** An open socket or stream, and what it uses its key for. */
export interface Connection {
  /** The path of its request, such as `/v1/messages`. */
  readonly path: string;
  /** Whether it costs nothing. If so, a key that has spent more than its limit may continue. */
  readonly isFree?: true;
  /** What it uses now; undefined while nothing runs. */
  using(): ConnectionUse | undefined;
  /** Receives the policy at each check, for later requests on this connection. */
  onPolicy?(policy: KeyPolicy): void;
  /**
   * Called once, when the key was revoked, disabled, has expired, has spent more than its limit or no longer allows
   * this connection; the sign-in of a ticket has ended, or its person has left the organisation; or the organisation
   * was suspended.
   */
  onEnd(error: GatewayError): void;
}

export interface ConnectionUse {
  /** The catalog id. */
  readonly modelId: string;
  /** The provider of the binding. */
  readonly providerId: ProviderId | undefined;
  /** Absent while it is not known yet. */
  readonly price?: Price | undefined;
}

const LOOK_INTERVAL_MS = 3_000;

interface Watch {
  readonly caller: Caller;
  readonly connection: Connection;
}

/** The results of one check, for the connections watched when it began. */
interface Findings {
  readonly keys: ReadonlyMap<string, KeyWithSpend>;
  readonly organizations: ReadonlyMap<OrgId, OrganizationRow>;
  /** The sign-ins that still exist, with the organisations of their people (`useName`). */
  readonly signedIn: ReadonlySet<string>;
  readonly nowMs: number;
}

export function createKeyRevocationWatch({ db, clock, log }: { db: Db; clock: Clock; log: Log }): KeyRevocationWatch {
  const watches = new Set<Watch>();
  let cancel: Cancel | undefined;

  function lookLater(): void {
    cancel ??= clock.after(LOOK_INTERVAL_MS, () => {
      look()
        .catch((error: unknown) =>
          log.warn('the keys of open sockets and streams could not be checked', { error: errorForLog(error) }),
        )
        .finally(() => {
          cancel = undefined;
          if (watches.size > 0) lookLater();
        });
    });
  }

  async function look(): Promise<void> {
    // Connections opened during the query are not in its result, so they are not checked yet.
    const listed = [...watches];
    if (listed.length === 0) return;
    const callers = listed.map(({ caller }) => caller);
    const keyIds = unique(callers.map(({ keyId }) => keyId)).filter((id) => !isConsoleKey(id));
    const keys = new Map(
      (await findKeysById(db, keyIds, currentPeriods(clock.now()))).map((found) => [found.key.id, found]),
    );
    const organizations = new Map(
      (await findOrganizations(db, unique(callers.map(({ orgId }) => orgId)))).map((row) => [row.id, row]),
    );
    const uses = callers.flatMap(({ signInOrigin: origin, orgId }) => (origin ? [{ origin, orgId }] : []));
    const signedIn = new Set((await findLiveSignInUses(db, uses, clock.now())).map(useName));
    const findings: Findings = { keys, organizations, signedIn, nowMs: clock.nowMs() };
    for (const watch of listed) {
      if (!watches.has(watch)) continue;
      const error = findEndReason(watch, findings);
      if (!error) continue;
      watches.delete(watch);
      watch.connection.onEnd(error);
    }
  }

  return {
    watch(caller, connection) {
      const watch: Watch = { caller, connection };
      watches.add(watch);
      lookLater();
      return () => {
        watches.delete(watch);
      };
    },
  };
}

/** Returns why the connection must end; undefined if it may continue. */
function findEndReason(
  { caller, connection }: Watch,
  { keys, organizations, signedIn, nowMs }: Findings,
): GatewayError | undefined {
  const { keyId, orgId, signInOrigin } = caller;
  const organization = organizations.get(orgId);
  if (!organization || isClosedRow(organization))
    return new GatewayError(
      'organization_suspended',
      'This organisation is suspended, or about to be deleted. Ask its owners, or the operator of this installation.',
    );
  if (signInOrigin && !signedIn.has(useName({ origin: signInOrigin, orgId }))) {
    return new GatewayError(
      'not_signed_in',
      'The sign-in behind this connection has ended, or the person has left the organisation. Sign in to the console again, then connect again.',
    );
  }
  if (isConsoleKey(keyId)) return checkConnection(policyOfPeople(organization), caller, connection);
  const found = keys.get(keyId);
  if (!found || found.key.revokedAt !== null || found.key.disabledAt !== null) {
    return new GatewayError(
      'revoked_api_key',
      'The key of this connection was revoked. Create a new one in the console under API keys.',
    );
  }
  const { key, project, spent, projectSpent } = found;
  if (key.expiresAt !== null && key.expiresAt.getTime() <= nowMs) {
    return new GatewayError(
      'expired_api_key',
      'The key of this connection has expired. Create a new one, or extend it in the console under API keys.',
    );
  }
  // A key cannot spend more than its limit, so the limit was lowered.
  if (!connection.isFree && key.limitNanoUsd !== null && spent > key.limitNanoUsd) {
    return new GatewayError(
      'key_limit_exceeded',
      'The key of this connection has spent more than its limit. Raise the limit in the console under API keys, or use another key.',
    );
  }
  if (!connection.isFree && project !== null && project.limitNanoUsd !== null && projectSpent > project.limitNanoUsd) {
    return new GatewayError(
      'project_limit_exceeded',
      'The project of this connection’s key has spent more than its budget. Use a key of another project, or ask an owner or admin to raise the budget in the console under Projects.',
    );
  }
  return checkConnection(policyOf({ key, project, organization }), caller, connection);
}

/** Returns why the policy no longer allows the connection. If it still does, passes the policy to the connection. */
function checkConnection(policy: KeyPolicy, caller: Caller, connection: Connection): GatewayError | undefined {
  try {
    checkPolicy(policy, caller, connection);
  } catch (error) {
    if (isGatewayError(error)) return error;
    throw error;
  }
  connection.onPolicy?.(policy);
  return undefined;
}

/** Repeats the checks that were made when the connection was opened. */
function checkPolicy(policy: KeyPolicy, { keyId, address, isByTicket }: Caller, { path, using }: Connection): void {
  if (!isConsoleKey(keyId)) checkScope(policy, isByTicket ? 'manage' : 'inference');
  checkEndpointAccess(policy, path);
  if (address !== undefined) checkAddressAccess(policy, address);
  const use = using();
  if (!use) return;
  checkModelAccess(policy, use.modelId);
  if (use.providerId !== undefined) allowedBindings(policy, [{ providerId: use.providerId }]);
  if (use.price) checkPriceAccess(policy, use.price);
}

const useName = ({ origin, orgId }: SignInUse): string => `${origin} ${orgId}`;

const unique = <Id>(ids: readonly Id[]): Id[] => [...new Set(ids)];
