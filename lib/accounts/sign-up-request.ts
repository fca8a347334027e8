import { parseBody } from '../contract/parse-body';
import { newPasswordSchema, signUpRequestSchema, type SignUpRequest } from '../contract/sign-in';

/** Parses the body that signs up. Throws with `param` and a message; see `parseBody`. */
export function parseSignUp(body: unknown): SignUpRequest {
  return parseBody(signUpRequestSchema, body);
}

/** Returns the new password from the body that changes it. Throws as `parseBody` does. */
export function parseNewPassword(body: unknown): string {
  return parseBody(newPasswordSchema, body).password;
}
