import { z } from 'zod';
import { creditsSchema } from './credits';
import { madeInvitationSchema } from './invitations';
import { createKeyRequestSchema } from './keys';
import { roleSchema } from './members';
import { textLine } from './text-line';
import { emailAddress, emailOf, title } from './sign-in';
import { listOf, pageWithIdsOf, unixSeconds, usd, type JsonOf } from './fields';

// The organisations of an installation, for its operator and for the people who belong to them.

export const organizationStates = ['active', 'suspended', 'deleting', 'erased'] as const;

const activitySchema = z.strictObject({
  requests: z.int().describe('That ended.'),
  charged: usd.describe('Net of refunds.'),
});

export type OrganizationJson = JsonOf<typeof organizationSchema>;
export const organizationSchema = z.strictObject({
  id: z.string(),
  object: z.literal('organization'),
  name: z.string(),
  state: z
    .enum(organizationStates)
    .describe('deleting: an owner deleted it, and can restore it. erased: only its books are left.'),
  suspended: z
    .boolean()
    .describe('Whether the operator has suspended it. An organisation that is being deleted can be suspended too.'),
  suspended_at: unixSeconds.nullable(),
  deletes_at: unixSeconds.nullable().describe('When it will be or was erased.'),
  credits: z.strictObject({ live: creditsSchema, test: creditsSchema }),
  members: z.int(),
  owners: z.int().describe('0: the invitation of the first owner has not been accepted yet.'),
  activity: z
    .strictObject({
      live: activitySchema,
      test: activitySchema,
      last_day: z.iso.date().nullable().describe('The last of these days with a request; null: none.'),
    })
    .describe('In the last 30 days of UTC, today included.'),
  created_at: unixSeconds,
});
export type OrganizationPageJson = JsonOf<typeof organizationPageSchema>;
export const organizationPageSchema = pageWithIdsOf(organizationSchema);

/** A new organisation of the operator. `owner_email`: only an account with this address can accept the invitation. */
export const newOrganizationRequestSchema = z.strictObject({
  name: title('name'),
  owner_email: emailOf('owner_email').optional(),
});
export type MadeOrganizationJson = JsonOf<typeof madeOrganizationSchema>;
export const madeOrganizationSchema = organizationSchema.extend({
  invitation: madeInvitationSchema.describe('For its owner.'),
});

/** An invitation of an owner to an organisation that has none. */
export const inviteOwnerRequestSchema = z.strictObject({ email: emailAddress.optional() });

const REASON = 'reason must be a text of 1 to 500 characters. The organisation can read it.';
/** Why an organisation is suspended, or why its suspension is lifted. */
export const suspensionRequestSchema = z.strictObject({
  reason: textLine(REASON, 'reason', 500),
});

/** One of the organisations of a person. */
export type OwnOrganizationJson = JsonOf<typeof ownOrganizationSchema>;
export const ownOrganizationSchema = z.strictObject({
  id: z.string(),
  object: z.literal('organization'),
  name: z.string(),
  role: roleSchema.describe('The role of the person.'),
  suspended: z.boolean(),
  deletes_at: unixSeconds
    .nullable()
    .describe('When it is erased, unless an owner restores it; null if it is not being deleted.'),
});
export type OwnOrganizationListJson = JsonOf<typeof ownOrganizationListSchema>;
export const ownOrganizationListSchema = listOf(ownOrganizationSchema);

export const createOrganizationRequestSchema = z.strictObject({ name: title('name') });

/** An organisation with its settings, for its members. */
export type OrganizationSettingsJson = JsonOf<typeof organizationSettingsSchema>;
export const organizationSettingsSchema = z.strictObject({
  id: z.string(),
  object: z.literal('organization_settings'),
  name: z.string(),
  replay_retries: z.boolean().describe('Whether the automatic retry of an SDK is answered with the first video.'),
  keep_messages_days: z
    .int()
    .nullable()
    .describe('For how many days the conversations of messages are kept; null: they are not stored.'),
  keep_speech_days: z
    .int()
    .nullable()
    .describe('For how many days the texts of speech are kept; null: they are not stored.'),
  suspended: z.boolean().describe('Whether the operator of the installation has suspended it.'),
  deletes_at: unixSeconds
    .nullable()
    .describe('When it is erased, unless an owner restores it; null if it is not being deleted.'),
  created_at: unixSeconds,
});

const MAX_KEEP_DAYS = 90;

/** The schema of a setting that says for how many days something is kept. */
function keepDays(name: string) {
  const must = `${name} must be null or a whole number of days from 1 to ${MAX_KEEP_DAYS}.`;
  return z
    .int(must)
    .min(1, must)
    .max(MAX_KEEP_DAYS, must)
    .nullable()
    .optional()
    .describe('Null erases what is kept, and keeps nothing from then on. Another number applies to what comes later.');
}

export const updateOrganizationRequestSchema = z.strictObject({
  name: title('name').optional(),
  replay_retries: z.boolean('replay_retries must be true or false.').optional(),
  keep_messages_days: keepDays('keep_messages_days'),
  keep_speech_days: keepDays('keep_speech_days'),
});

/** The request to delete the organisation. `name` is the organisation's name, as a confirmation. */
export const deleteOrganizationRequestSchema = z.strictObject({
  name: z.string('name must be the name of the organisation.'),
});

/** The request for a key of an organisation; the organisation may be left out if there is only one. */
export function createOrganizationKeyRequestSchema(now: Date) {
  return createKeyRequestSchema(now).extend({ organization: z.string().optional() });
}
