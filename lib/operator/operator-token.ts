import { createHash, timingSafeEqual } from 'node:crypto';
import { createSignInThrottle } from '../accounts/sign-in-throttle';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';

/** Rejects with `operator_not_configured`, `invalid_operator_token` or `rate_limit_exceeded`. */
export type CheckOperator = (authorization: string | undefined, remoteAddress: string) => void;

/** The check of the operator's token; a wrong one counts against its address, ten in 15 minutes in this process. */
export function createOperatorCheck({ clock, token }: { readonly clock: Clock; readonly token: string | undefined }): CheckOperator {
  const throttle = createSignInThrottle({ clock });
  const expected = token === undefined ? undefined : digest(token);

  return function checkOperator(authorization, remoteAddress) {
    if (!expected) {
      throw new GatewayError('operator_not_configured', 'The endpoints of the operator are off, because OPERATOR_TOKEN is not set. Set it to a secret of at least 32 characters and restart Patchbay.');
    }
    const sent = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
    if (sent === undefined) {
      throw new GatewayError('invalid_operator_token', 'This endpoint is for the operator of this installation. Send OPERATOR_TOKEN as "Authorization: Bearer …".');
    }
    // Only the address counts: a wrong token from somewhere else must not shut the operator out.
    const attempt = throttle.attempt(remoteAddress, remoteAddress);
    if (!attempt.allowed) {
      throw new GatewayError('rate_limit_exceeded', 'Too many wrong operator tokens came from this address. Try again in a few minutes.', { retryAfterSeconds: attempt.retryAfterSeconds });
    }
    // Of equal length whatever was sent, and compared in constant time.
    if (!timingSafeEqual(digest(sent), expected)) {
      throw new GatewayError('invalid_operator_token', 'This is not the operator token of this installation. Use the value of OPERATOR_TOKEN; with the embedded database it is in DATA_DIR/secrets.json.');
    }
    attempt.succeeded();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
