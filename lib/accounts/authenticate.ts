import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorRules } from '../domain/error-rules';
import { GatewayError, isGatewayError } from '../domain/errors';
import { checkAddressAccess } from './access';
import type { Credential } from './accounts';
import { hashSecret } from './hash-secret';
import { readKey } from './key-format';
import { checkUsable, type KeyLookup } from './key-lookup';
import type { KeyUse } from './key-use';

export interface AuthenticateDeps {
  readonly lookup: KeyLookup;
  readonly use: KeyUse;
  readonly clock: Clock;
}

/**
 * Returns the caller of a credential. Rejects as `Accounts.authenticate` does. A Bearer header is tried first; if its
 * key is not valid, the key of `x-api-key` is tried.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  { authorization, apiKey }: Credential,
  remoteAddress: string,
): Promise<Caller> {
  // Another scheme (a proxy's Basic) counts as absent.
  const token = authorization && /^bearer /i.test(authorization) ? authorization.slice('bearer '.length) : '';
  if (!token && !apiKey) throw missing(apiKey !== undefined);
  if (!token || !apiKey || token === apiKey) return await authenticateToken(deps, token || apiKey || '', remoteAddress);
  try {
    return await authenticateToken(deps, token, remoteAddress);
  } catch (error) {
    if (!isRefusedKey(error)) throw error;
    return authenticateToken(deps, apiKey, remoteAddress).catch((other: unknown) =>
      Promise.reject(isRefusedKey(other) ? error : other),
    );
  }
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
