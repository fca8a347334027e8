import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorRules } from '../domain/error-rules';
import { GatewayError, isGatewayError, errorForLog } from '../domain/errors';
import type { KeyId } from '../domain/ids';
import type { Log } from '../domain/log';
import { createLru } from '../io/lru';
import type { Db } from '../db/database';
import { touchKeys } from '../db/keys';
import { checkAddressAccess } from './access';
import type { Accounts } from './accounts';
import { readKey, hashSecret } from './secrets';
import { checkUsable, type KeyLookup } from './key-lookup';

export interface AuthenticateDeps {
  readonly lookup: KeyLookup;
  readonly use: KeyUse;
  readonly clock: Clock;
}

/**
 * Creates `Accounts.authenticate`, which returns the caller of a credential. A Bearer header is tried first; if its key
 * is not valid, the key of `x-api-key` is tried.
 */
export function createAuthenticate(deps: AuthenticateDeps): Accounts['authenticate'] {
  return async function authenticate({ authorization, apiKey }, remoteAddress) {
    // Another scheme (a proxy's Basic) counts as absent.
    const token = authorization && /^bearer /i.test(authorization) ? authorization.slice('bearer '.length) : '';
    if (!token && !apiKey) throw missing(apiKey !== undefined);
    if (!token || !apiKey || token === apiKey)
      return await authenticateToken(deps, token || apiKey || '', remoteAddress);
    try {
      return await authenticateToken(deps, token, remoteAddress);
    } catch (error) {
      if (!isRefusedKey(error)) throw error;
      return authenticateToken(deps, apiKey, remoteAddress).catch((other: unknown) =>
        Promise.reject(isRefusedKey(other) ? error : other),
      );
    }
  };
}

function isRefusedKey(error: unknown): boolean {
  return isGatewayError(error) && errorRules[error.code].status === 401;
}

async function authenticateToken(
  { lookup, use, clock }: AuthenticateDeps,
  token: string,
  remoteAddress: string,
): Promise<Caller> {
  const hash = hashSecret(token);
  const remembered = lookup.remembered(hash);
  if (!remembered && !readKey(token)) throw malformed(token);
  const key = remembered ?? (await lookup.find(hash, remoteAddress));
  if (!key) {
    throw new GatewayError(
      'invalid_api_key',
      'There is no such API key. Check that it belongs to this installation, or create one in the console under API keys.',
    );
  }
  checkUsable(key, clock.nowMs());
  checkAddressAccess(key.caller.policy, remoteAddress);
  use.note(key.caller.keyId);
  // The address comes first, because V8 takes 0.4 µs for each property that follows a spread.
  return { address: remoteAddress, ...key.caller };
}

function missing(takesApiKey: boolean): GatewayError {
  const or = takesApiKey ? ', or as "x-api-key: pb_live_…"' : '';
  return new GatewayError(
    'missing_api_key',
    `An API key is required. Send it as "Authorization: Bearer pb_live_…" or "Bearer pb_test_…"${or}.`,
  );
}

/** The prefixes of other services' keys; ours never start like this. */
const VENDOR_KEY = /^(?:sk[-_]|AIza|ya29\.|AKIA|key_|r8_|hf_|gsk_|xai-|pplx-|nvapi-|luma-|eyJ)/;
/** A vendor whose keys are an id and a secret. */
const ID_AND_SECRET = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{16,64}$/i;

function malformed(token: string): GatewayError {
  if (VENDOR_KEY.test(token) || ID_AND_SECRET.test(token)) {
    return new GatewayError(
      'vendor_key_not_accepted',
      'This looks like a key of another service; it was not stored. Use a key of this gateway (pb_live_… or pb_test_…) from the console under API keys.',
    );
  }
  return new GatewayError(
    'invalid_api_key',
    'This is not a complete API key of this gateway (pb_live_… or pb_test_…, 44 characters). Copy it again, or create a new one in the console under API keys.',
  );
}

// Records when keys were last used, exact to a minute: at most one write per key and minute, many keys in one
// statement, and no request waits for it.

export interface KeyUse {
  note(keyId: KeyId): void;
  /** Writes the pending times; later uses are no longer recorded. */
  close(): Promise<void>;
}

const ONCE_IN_MS = 60_000;
const GATHER_MS = 1_000;
const MAX_REMEMBERED = 20_000;

export function createKeyUse({ db, clock, log }: { db: Db; clock: Clock; log: Log }): KeyUse {
  const notedAtMs = createLru<KeyId, number>(MAX_REMEMBERED);
  let pending = new Map<KeyId, Date>();
  let writing: Promise<void> = Promise.resolve();
  let cancelTimer: (() => void) | undefined;
  let closed = false;

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    const uses = pending;
    pending = new Map();
    if (uses.size > 0) writing = writing.then(() => write(uses));
    return writing;
  }

  async function write(uses: ReadonlyMap<KeyId, Date>): Promise<void> {
    try {
      await touchKeys(db, uses);
    } catch (error) {
      // No request fails because of it. The next use of each key tries to write again.
      for (const keyId of uses.keys()) notedAtMs.delete(keyId);
      log.warn('the last use of keys could not be written', { count: uses.size, error: errorForLog(error) });
    }
  }

  return {
    note(keyId) {
      if (closed) return;
      const now = clock.now();
      const before = notedAtMs.get(keyId);
      if (before !== undefined && now.getTime() - before < ONCE_IN_MS) return;
      notedAtMs.set(keyId, now.getTime());
      pending.set(keyId, now);
      cancelTimer ??= clock.after(GATHER_MS, () => void flush());
    },
    close() {
      closed = true;
      return flush();
    },
  };
}
