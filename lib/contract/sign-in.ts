import { z } from 'zod';
import { unixSeconds, type JsonOf } from './fields';
import { textLine } from './text-line';

// Signing up and in, and the tickets that open audio sockets from a browser.

const mustBeEmail = (param: string) => `${param} must be an e-mail address such as ada@example.com.`;
const EMAIL = mustBeEmail('email');
const PASSWORD = 'password must have 10 to 200 characters.';
export const MAX_PASSWORD_LENGTH = 200;

/** Normalises an e-mail address for storage and comparison. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** The schema of the name of a person or an organisation. `param` is the name of the request's field. */
export function title(param: string) {
  return textLine(`${param} must be a text of 1 to 100 characters.`, param, 100);
}

const password = z.string(PASSWORD).min(10, PASSWORD).max(MAX_PASSWORD_LENGTH, PASSWORD);

export const emailAddress = emailOf('email');
/** The schema of an e-mail address. `param` is the name of the request's field. */
export function emailOf(param: string) {
  const must = mustBeEmail(param);
  return z.string(must).transform(normalizeEmail).pipe(z.email(must).max(254, must));
}
export const newAccountFields = { email: emailAddress, password, name: title('name').optional() };

export type SignUpRequest = z.infer<typeof signUpRequestSchema>;
export const signUpRequestSchema = z.strictObject({
  ...newAccountFields,
  organization: title('organization').optional(),
});
export const newPasswordSchema = z.strictObject({ password });
export const signInLinkRequestSchema = z.strictObject({
  email: z.string(EMAIL).trim().pipe(z.email(EMAIL).max(254, EMAIL)),
});

export type SignedUpJson = JsonOf<typeof signedUpSchema>;
export const signedUpSchema = z.strictObject({
  email: z.string(),
  name: z.string().exactOptional(),
  organization: z.string(),
});

export type SignInLinkJson = JsonOf<typeof signInLinkSchema>;
export const signInLinkSchema = z.strictObject({ object: z.literal('sign_in_link'), says: z.string() });

export type TicketJson = JsonOf<typeof ticketSchema>;
export const ticketSchema = z.strictObject({
  object: z.literal('socket_ticket'),
  ticket: z.string(),
  expires_at: unixSeconds,
});

export const ticketPaths = ['/v1/audio/transcriptions/ws', '/v1/audio/speech/ws'] as const;

/** A ticket for one socket. Unknown fields are ignored. */
export type TicketRequest = z.infer<typeof ticketRequestSchema>;
export const ticketRequestSchema = z.object({
  path: z.enum(ticketPaths),
  mode: z.enum(['test', 'live']).default('test'),
});
