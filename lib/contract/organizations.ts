import { z } from 'zod';
import { creditsSchema } from './credits';
import { createKeyRequestSchema } from './keys';
import { pageOf, unixSeconds, type JsonOf } from './fields';

// The organisations of an installation, for its operator.

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

/** The request for a key of an organisation; the organisation may be left out if there is only one. */
export function createOrganizationKeyRequestSchema(now: Date) {
  return createKeyRequestSchema(now).extend({ organization: z.string().optional() });
}
