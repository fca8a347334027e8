import { z } from 'zod';
import { roles } from '../domain/roles';
import { listOf, unixSeconds, type JsonOf } from './fields';
import { roleSchema } from './members';
import { emailAddress, newAccountFields } from './sign-in';

// Invitations to an organisation. Only the response that creates a link contains it.

export type InvitationJson = JsonOf<typeof invitationSchema>;
export const invitationSchema = z.strictObject({
  id: z.string(),
  object: z.literal('invitation'),
  role: roleSchema,
  email: z
    .string()
    .nullable()
    .describe('Only an account with this address can use the link; null if anyone with the link can.'),
  invited_by: z
    .string()
    .nullable()
    .describe('The e-mail address of the person who made it; null for a key or the operator.'),
  created_at: unixSeconds,
  expires_at: unixSeconds,
  expired: z.boolean(),
});
export type InvitationListJson = JsonOf<typeof invitationListSchema>;
export const invitationListSchema = listOf(invitationSchema).extend({
  mail: z.boolean().describe('Whether this installation can send e-mails.'),
});

export type MadeInvitationJson = JsonOf<typeof madeInvitationSchema>;
export const madeInvitationSchema = invitationSchema.extend({
  link: z.string().describe('The link, which works once. No other response contains it.'),
  mail: z.enum(['sent', 'failed', 'none']).describe('none: without an address, or this installation sends no e-mails.'),
});

export const createInvitationRequestSchema = z.strictObject({
  role: z.enum(roles, `role must be one of ${roles.join(', ')}.`),
  email: emailAddress.optional(),
});

const TOKEN = 'token must be the part of the link after the #.';
const token = z.string(TOKEN).regex(/^[A-Za-z0-9_-]{43}$/, TOKEN);
export const invitationTokenSchema = z.strictObject({ token });

/** What the person who opens a link sees before they accept. */
export type OpenedInvitationJson = JsonOf<typeof openedInvitationSchema>;
export const openedInvitationSchema = z.strictObject({
  object: z.literal('opened_invitation'),
  organization: z.string().describe('The name.'),
  role: roleSchema,
  email: z.string().nullable(),
  account_exists: z.boolean().describe('Whether there is an account with the address of the invitation.'),
  expires_at: unixSeconds,
});

export type AcceptedInvitationJson = JsonOf<typeof acceptedInvitationSchema>;
export const acceptedInvitationSchema = z.strictObject({
  object: z.literal('accepted_invitation'),
  organization: z.strictObject({ id: z.string(), name: z.string() }),
  email: z.string().describe('The e-mail address of the account.'),
  role: roleSchema,
});

/** `email` may be left out if the invitation names it. */
export const invitationSignUpRequestSchema = z.strictObject({
  token,
  ...newAccountFields,
  email: emailAddress.optional(),
});
