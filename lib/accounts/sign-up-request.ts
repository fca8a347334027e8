import { z } from 'zod';
import { parseBody, UNPRINTABLE } from './parse-body';

const EMAIL = 'email must be an e-mail address such as ada@example.com.';
const PASSWORD = 'password must have 10 to 200 characters.';

export const MAX_PASSWORD_LENGTH = 200;

export interface SignUpRequest {
  /** Lower case. */
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly organization?: string | undefined;
}

function title(param: string) {
  const rule = `${param} must be a text of 1 to 100 characters.`;
  return z
    .string(rule)
    .trim()
    .min(1, rule)
    .max(100, rule)
    .refine((text) => !UNPRINTABLE.test(text), {
      error: `${param} must not contain control characters.`,
      params: { code: 'invalid_character' },
    })
    .optional();
}

const password = z.string(PASSWORD).min(10, PASSWORD).max(MAX_PASSWORD_LENGTH, PASSWORD);

const schema = z.strictObject({
  email: z.string(EMAIL).transform(normalizeEmail).pipe(z.email(EMAIL).max(254, EMAIL)),
  password,
  name: title('name'),
  organization: title('organization'),
});

/** Throws with `param` and a message; see `parseBody`. */
export function parseSignUp(body: unknown): SignUpRequest {
  return parseBody(schema, body);
}

/** The same for the body that changes a password. */
export function parseNewPassword(body: unknown): string {
  return parseBody(z.strictObject({ password }), body).password;
}

/** Normalises an e-mail address for storage and comparison. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}
