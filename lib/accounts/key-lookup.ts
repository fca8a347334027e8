import type { Caller, KeyPolicy } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { OwnLimits } from '../domain/limits';
import { createLru } from '../io/lru';
import { levelsOf } from '../domain/policy';
import type { Db } from '../db/database';
import { findKeyByHash, type FoundKey, type OrganizationRow } from '../db/keys';
import { isClosedRow } from '../db/organizations';
import { createFailedKeys } from './failed-keys';

// A short-lived cache of keys. A revocation in another process must take effect within 5 s, so an entry expires 5 s
// after its query *began*; in this process `forget` takes effect immediately.

interface KnownKey {
  readonly caller: Omit<Caller, 'address'> & { readonly hasSpendLimit: boolean; readonly limits: OwnLimits };
  readonly revoked: boolean;
  readonly disabled: boolean;
  readonly expiresAtMs: number | undefined;
  /** Whether the organisation is suspended or about to be deleted. */
  readonly orgClosed: boolean;
}

export interface KeyLookup {
  /** Returns the key with that hash if it is cached and at most 5 s old. */
  remembered(hash: string): KnownKey | undefined;
  /**
   * Resolves to the key with that hash, at most 5 s old; undefined if there is none. Rejects with
   * `rate_limit_exceeded`, without a query, if the address has sent too many keys that do not exist. Keys that this
   * process has seen are exempt.
   */
  find(hash: string, remoteAddress: string): Promise<KnownKey | undefined>;
  /** Makes the next `find` query the database. Call it after the change is committed. */
  forget(hash: string): void;
  /** Like `forget`, for all keys, after a change that concerns many of them. */
  forgetAll(): void;
}

const KNOWN_MS = 5_000;
/**
 * Short, so that a key created by another process is soon accepted. The cache only has to absorb a flood of one wrong
 * key.
 */
const UNKNOWN_MS = 1_000;
const MAX_REMEMBERED = 20_000;

export function createKeyLookup({ db, clock }: { db: Db; clock: Clock }): KeyLookup {
  // Two stores, so that a flood of invented keys cannot evict the real ones.
  const known = createLru<string, { key: KnownKey; readAtMs: number }>(MAX_REMEMBERED);
  const unknown = createLru<string, number>(MAX_REMEMBERED);
  // Kept across `forget` and for longer than `known`: a key in use must not be refused because of other clients at its
  // address.
  const seen = createLru<string, true>(MAX_REMEMBERED);
  const failedKeys = createFailedKeys({ clock });
  const underway = new Map<string, Promise<KnownKey | undefined>>();

  // If the clock was set back, an entry seems to be from the future; it is not fresh either.
  const isFresh = (readAtMs: number, forMs: number) => {
    const age = clock.nowMs() - readAtMs;
    return age >= 0 && age < forMs;
  };

  function read(hash: string): Promise<KnownKey | undefined> {
    const readAtMs = clock.nowMs();
    const reading: Promise<KnownKey | undefined> = findKeyByHash(db, hash).then(
      (row) => {
        const key = row && knownKey(row);
        if (key) seen.set(hash, true);
        // Forgotten during the query: the result may be older than the change, so it serves only the requests that
        // already wait for it.
        if (underway.get(hash) !== reading) return key;
        underway.delete(hash);
        if (key) known.set(hash, { key, readAtMs });
        else unknown.set(hash, readAtMs);
        return key;
      },
      (error: unknown) => {
        if (underway.get(hash) === reading) underway.delete(hash);
        throw error;
      },
    );
    underway.set(hash, reading);
    return reading;
  }

  function remembered(hash: string): KnownKey | undefined {
    const hit = known.get(hash);
    return hit && isFresh(hit.readAtMs, KNOWN_MS) ? hit.key : undefined;
  }

  return {
    remembered,
    async find(hash, remoteAddress) {
      const hit = remembered(hash);
      if (hit) return hit;
      const missedAtMs = unknown.get(hash);
      if (missedAtMs !== undefined && isFresh(missedAtMs, UNKNOWN_MS)) return undefined;
      known.delete(hash);
      unknown.delete(hash);
      // Concurrent requests with one key share one query.
      const reading = underway.get(hash);
      if (reading) return reading;
      if (!seen.has(hash)) failedKeys.check(remoteAddress);
      const key = await read(hash);
      if (!key) failedKeys.note(remoteAddress);
      return key;
    },
    forget(hash) {
      known.delete(hash);
      unknown.delete(hash);
      underway.delete(hash);
    },
    forgetAll() {
      known.clear();
      unknown.clear();
      underway.clear();
    },
  };
}

/** Returns how long the organisation's messages and speech are kept, as fields of a caller. */
export function keptDaysOf({
  keepMessagesDays,
  keepSpeechDays,
}: OrganizationRow): Pick<Caller, 'keepMessagesDays' | 'keepSpeechDays'> {
  return {
    ...(keepMessagesDays !== null && { keepMessagesDays }),
    ...(keepSpeechDays !== null && { keepSpeechDays }),
  };
}

/** Returns what every request of a key needs, computed once for many requests. */
export function knownKey(found: FoundKey): KnownKey {
  const { key, project, organization } = found;
  return {
    caller: {
      orgId: key.orgId,
      keyId: key.id,
      mode: key.mode,
      policy: policyOf(found),
      hasSpendLimit: key.limitNanoUsd !== null || (project !== null && project.limitNanoUsd !== null),
      ...(project && { project: { id: project.id, name: project.name } }),
      limits: { key: key.limits, organization: organization.limits },
      ...keptDaysOf(organization),
    },
    revoked: key.revokedAt !== null,
    disabled: key.disabledAt !== null,
    expiresAtMs: key.expiresAt?.getTime(),
    orgClosed: isClosedRow(organization),
  };
}

/** Throws `revoked_api_key`, `expired_api_key` or `organization_suspended` if the key may not be used now. */
export function checkUsable(key: KnownKey, nowMs: number): void {
  if (key.revoked)
    throw new GatewayError('revoked_api_key', 'This key was revoked. Create a new one in the console under API keys.');
  if (key.disabled)
    throw new GatewayError(
      'revoked_api_key',
      'This key is disabled. Enable it in the console under API keys, or use another one.',
    );
  // Computed for every request and never cached, so that it is exact.
  if (key.expiresAtMs !== undefined && key.expiresAtMs <= nowMs) {
    throw new GatewayError(
      'expired_api_key',
      'This key has expired. Create a new one, or extend it in the console under API keys.',
    );
  }
  if (key.orgClosed)
    throw new GatewayError(
      'organization_suspended',
      'This organisation is suspended, or about to be deleted. Ask its owners, or the operator of this installation.',
    );
}

/** Returns what a key may do, by its own policy and the policies of its project and its organisation. */
export function policyOf(found: FoundKey): KeyPolicy {
  return { scopes: found.key.scopes, levels: levelsOf(found) };
}

/** Returns what people in the console may do. Only the policy of the organisation restricts them. */
export function policyOfPeople(organization: OrganizationRow): KeyPolicy {
  return { scopes: ['inference'], levels: levelsOf({ organization }) };
}
