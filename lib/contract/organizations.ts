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

/** The request for a key of an organisation; the organisation may be left out if there is only one. */
export function createOrganizationKeyRequestSchema(now: Date) {
  return createKeyRequestSchema(now).extend({ organization: z.string().optional() });
}
