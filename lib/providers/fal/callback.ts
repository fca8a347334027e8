import { createHash } from 'node:crypto';
import type { Clock } from '../../domain/clock';
import type { ProviderCallback } from '../../domain/video';
import { forgedCallback, hasEd25519Signature, isRecent } from '../kit/auth/callback-signature';
import { createTokenCache } from '../kit/auth/token-cache';
import { askJson } from '../kit/http/ask-json';
import type { Upstream } from '../kit/http/http';
import { pollFailure } from '../kit/video/refusal';

// fal signs its calls with Ed25519 keys, which it publishes as a JSON Web Key Set.
// Reference: https://docs.fal.ai/model-endpoints/webhooks, November 2026.

/** fal asks receivers to fetch the keys at least once a day. A call with a newer key is repeated later. */
const KEYS_LIFETIME_MS = 60 * 60 * 1_000;
const KEYS_TIMEOUT_MS = 10_000;

const KEYS_PATH = '/.well-known/jwks.json';

/**
 * Returns a function that verifies a call; `upstream` serves the keys. It rejects with `invalid_signature` if the call
 * is not signed by fal, and as `askJson` does if the keys cannot be read.
 */
export function createVerifyCallback({ upstream, clock }: { readonly upstream: Upstream; readonly clock: Clock }) {
  // Not the signal of one caller, because all waiting callers share the request.
  const { signal } = new AbortController();
  const keySet = createTokenCache({
    clock,
    async issue() {
      const { status, headers, json } = await askJson(
        upstream,
        { method: 'GET', path: KEYS_PATH, headers: { accept: 'application/json' }, headersMs: KEYS_TIMEOUT_MS, signal },
        clock,
      );
      if (status !== 200 || json === undefined) throw pollFailure({ status, headers }, [], clock.now());
      return { token: JSON.stringify(json), expiresAt: new Date(clock.nowMs() + KEYS_LIFETIME_MS) };
    },
  });

  return async function verifyCallback({ headers, body }: ProviderCallback, caller: AbortSignal): Promise<undefined> {
    const timestamp = headers['x-fal-webhook-timestamp'];
    const signature = Buffer.from(headers['x-fal-webhook-signature'] ?? '', 'hex');
    const text = [
      headers['x-fal-webhook-request-id'],
      headers['x-fal-webhook-user-id'],
      timestamp,
      createHash('sha256').update(body).digest('hex'),
    ].join('\n');
    if (!isRecent(timestamp, clock)) throw forgedCallback();
    if (!hasEd25519Signature(text, signature, JSON.parse(await keySet.get(caller)))) throw forgedCallback();
    return undefined;
  };
}
