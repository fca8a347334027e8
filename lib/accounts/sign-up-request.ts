import { parseBody } from '../contract/parse-body';
import { newPasswordSchema, signUpRequestSchema, type SignUpRequest } from '../contract/sign-in';

/** Throws with `param` and a message; see `parseBody`. */
export function parseSignUp(body: unknown): SignUpRequest {
  return parseBody(signUpRequestSchema, body);
}

/** The new password in the body that changes one. Throws as `parseBody` does. */
export function parseNewPassword(body: unknown): string {
  return parseBody(newPasswordSchema, body).password;
}
