import { z } from 'zod';
import { creditsSchema } from './credits';
import { createKeyRequestSchema } from './keys';
import { roleSchema } from './members';
import { title } from './sign-in';
import { listOf, pageOf, unixSeconds, type JsonOf } from './fields';

// The organisations of an installation, for its operator and for the people who belong to them.

export type OrganizationJson = JsonOf<typeof organizationSchema>;
const organizationSchema = z.strictObject({
  id: z.string(),
  object: z.literal('organization'),
  name: z.string(),
  suspended: z.boolean(),
  credits: z.strictObject({ live: creditsSchema, test: creditsSchema }),
  created_at: unixSeconds,
});
export type OrganizationPageJson = JsonOf<typeof organizationPageSchema>;
export const organizationPageSchema = pageOf(organizationSchema);

/** One of the organisations of a person. */
export type OwnOrganizationJson = JsonOf<typeof ownOrganizationSchema>;
export const ownOrganizationSchema = z.strictObject({
  id: z.string(),
  object: z.literal('organization'),
  name: z.string(),
  role: roleSchema.describe('Of the person.'),
  suspended: z.boolean(),
  deletes_at: unixSeconds.nullable().describe('When it is erased, unless an owner restores it; null: it stays.'),
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
  replay_retries: z.boolean().describe('Whether the automatic retry of an SDK gets the first video.'),
  suspended: z.boolean().describe('By the operator of the installation.'),
  deletes_at: unixSeconds.nullable().describe('When it is erased, unless an owner restores it; null: it stays.'),
  created_at: unixSeconds,
});

export const updateOrganizationRequestSchema = z.strictObject({
  name: title('name').optional(),
  replay_retries: z.boolean('replay_retries must be true or false.').optional(),
});

/** `name`: of the organisation, as a confirmation. */
export const deleteOrganizationRequestSchema = z.strictObject({
  name: z.string('name must be the name of the organisation.'),
});

/** The request for a key of an organisation; the organisation may be left out if there is only one. */
export function createOrganizationKeyRequestSchema(now: Date) {
  return createKeyRequestSchema(now).extend({ organization: z.string().optional() });
}
