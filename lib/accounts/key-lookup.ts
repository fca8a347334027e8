import ipaddr from 'ipaddr.js';
import type { Caller, KeyPolicy } from '../domain/caller';
import type { Clock } from '../domain/clock';
import type { OwnLimits } from '../domain/limits';
import { createLru } from '../io/lru';
import type { Db } from '../db/database';
import { findKeyByHash, type FoundKey, type KeyRow } from '../db/keys';
import { createFailedKeys } from './failed-keys';

// A short-lived cache of keys. A revocation in another process must take effect within 5 s, so an entry expires 5 s
// after its query *began*; in this process `forget` takes effect immediately.

type Range = ReturnType<typeof ipaddr.parseCIDR>;

interface KnownKey {
  readonly caller: Caller & { readonly hasSpendLimit: boolean; readonly limits: OwnLimits };
  readonly revoked: boolean;
  readonly disabled: boolean;
  readonly expiresAtMs: number | undefined;
  readonly orgClosed: boolean;
  /** The addresses from which it may be used; absent: any. */
  readonly ranges?: readonly Range[];
}

export interface KeyLookup {
  /** The key with that hash if it is cached and at most 5 s old. */
  remembered(hash: string): KnownKey | undefined;
  /**
   * The key with that hash, at most 5 s old; undefined if there is none. Rejects with `rate_limit_exceeded`, without a
   * query, when the address has sent too many keys that do not exist; keys that this process has seen are exempt.
   */
  find(hash: string, remoteAddress: string): Promise<KnownKey | undefined>;
  /** Makes the next `find` query the database. Call it after the change is committed. */
  forget(hash: string): void;
}

const KNOWN_MS = 5_000;
/** Short: a key made by another process should soon be accepted, and only a flood of one wrong key needs this cache. */
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
        // Forgotten during the query: the result may be older than the change, so it serves only the requests that were
        // already waiting.
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
  };
}

function knownKey({ key, orgClosed, orgLimits }: FoundKey): KnownKey {
  return {
    caller: {
      orgId: key.orgId,
      keyId: key.id,
      mode: key.mode,
      policy: policyOf(key),
      hasSpendLimit: key.limitNanoUsd !== null,
      limits: { key: key.limits, organization: orgLimits },
    },
    revoked: key.revokedAt !== null,
    disabled: key.disabledAt !== null,
    expiresAtMs: key.expiresAt?.getTime(),
    orgClosed,
    ...(key.allowedAddresses ? { ranges: key.allowedAddresses.map(parseRange) } : {}),
  };
}

export function policyOf(key: KeyRow): KeyPolicy {
  return {
    scopes: key.scopes,
    ...(key.allowedModels ? { allowedModels: key.allowedModels } : {}),
    ...(key.allowedProviders ? { allowedProviders: key.allowedProviders } : {}),
    ...(key.allowedEndpoints ? { allowedEndpoints: key.allowedEndpoints } : {}),
    ...(key.allowedAddresses ? { allowedAddresses: key.allowedAddresses } : {}),
  };
}

/** Parses an address or a range such as `203.0.113.0/24` that `parseCreateKey` has accepted. */
export function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Is the address in one of the ranges? IPv4-mapped IPv6 counts as that IPv4 address. */
export function liesWithin(ranges: readonly Range[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => range[0].kind() === parsed.kind() && parsed.match(range));
}

/** Does the second range contain the first? */
export function liesWithinRange([address, bits]: Range, range: Range): boolean {
  return address.kind() === range[0].kind() && bits >= range[1] && address.match(range);
}
