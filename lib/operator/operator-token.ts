import { createHash, timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../accounts/secrets';
import { GatewayError } from '../domain/errors';
import type { WindowCounters } from '../limits/window-counters';
import { networkOf } from '../net/client-address';

const WINDOW_MS = 15 * 60_000;
const MAX_WRONG_TOKENS = 10;

/** Rejects with `operator_not_configured`, `invalid_operator_token` or `rate_limit_exceeded`. */
export type CheckOperator = (authorization: string | undefined, remoteAddress: string) => Promise<void>;

/** Checks the operator's token. Wrong tokens are limited per IPv4 address or IPv6 /64: ten in 15 minutes. */
export function createOperatorCheck({
  counters,
  token,
}: {
  readonly counters: WindowCounters;
  readonly token: string | undefined;
}): CheckOperator {
  const expected = token === undefined ? undefined : digest(token);

  return async function checkOperator(authorization, remoteAddress) {
    if (!expected) {
      throw new GatewayError(
        'operator_not_configured',
        'The endpoints of the operator are off, because OPERATOR_TOKEN is not set. Set it to a secret of at least 32 characters and restart Patchbay.',
      );
    }
    const sent = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
    if (sent === undefined) {
      throw new GatewayError(
        'invalid_operator_token',
        'This endpoint is for the operator of this installation. Send OPERATOR_TOKEN as "Authorization: Bearer …".',
      );
    }
    // Counted by address only: wrong tokens from elsewhere must not lock out the operator.
    const counter = `operator ${hashSecret(networkOf(remoteAddress))}`;
    const { allowed, endsInMs } = await counters.take({ name: counter, max: MAX_WRONG_TOKENS, windowMs: WINDOW_MS });
    if (!allowed) {
      throw new GatewayError(
        'rate_limit_exceeded',
        'Too many wrong operator tokens came from this address. Try again in a few minutes.',
        { retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1000)) },
      );
    }
    // Hashes have equal length whatever was sent, and are compared in constant time.
    if (!timingSafeEqual(digest(sent), expected)) {
      throw new GatewayError(
        'invalid_operator_token',
        'This is not the operator token of this installation. Use the value of OPERATOR_TOKEN; with the embedded database it is in DATA_DIR/secrets.json.',
      );
    }
    counters.takeBack(counter);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
