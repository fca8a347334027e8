import { z } from 'zod';
import { listOf, modeSchema, unixSeconds, type JsonOf } from './fields';
import { nameRequest, spendLimitRequest, spendLimitSchema } from './keys';
import { policyFields, policyRequestFields } from './policies';

// Projects: groups of keys with a budget and a policy.

export type ProjectJson = JsonOf<typeof projectSchema>;
export const projectSchema = z.strictObject({
  id: z.string(),
  object: z.literal('project'),
  name: z.string(),
  mode: modeSchema.describe('The mode of `limit.spent` and of `keys`.'),
  limit: spendLimitSchema.nullable().describe('The budget. Live and test credits are counted separately.'),
  ...policyFields,
  keys: z.int().nonnegative().describe('Its keys of this mode that are not revoked.'),
  created_at: unixSeconds,
});

export type ProjectListJson = JsonOf<typeof projectListSchema>;
export const projectListSchema = listOf(projectSchema);

export const createProjectRequestSchema = z.strictObject({
  name: nameRequest,
  limit: spendLimitRequest,
  ...policyRequestFields,
});

/** An absent field stays as it is, null removes a limit or a restriction. */
export const updateProjectRequestSchema = createProjectRequestSchema.partial({ name: true });
