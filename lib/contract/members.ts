import { z } from 'zod';
import { roles } from '../domain/roles';
import { listOf, unixSeconds, type JsonOf } from './fields';

// The members of an organisation.

export const roleSchema = z.enum(roles).describe('From the weakest to the strongest: viewer, developer, admin, owner.');

export type MemberJson = JsonOf<typeof memberSchema>;
export const memberSchema = z.strictObject({
  id: z.string().describe('The id of the person.'),
  object: z.literal('member'),
  email: z.string(),
  name: z.string().nullable(),
  role: roleSchema,
  joined_at: unixSeconds,
  last_seen_at: unixSeconds
    .nullable()
    .describe('When the person last used the console for this organisation, exact to some minutes; null: never.'),
});
export type MemberListJson = JsonOf<typeof memberListSchema>;
export const memberListSchema = listOf(memberSchema);

export const changeMemberRequestSchema = z.strictObject({
  role: z.enum(roles, `role must be one of ${roles.join(', ')}.`),
});
