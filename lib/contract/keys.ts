import { z } from 'zod';
import { LAST_SECOND } from '../domain/clock';
import { limitOfUsd, listOf, modeSchema, unixSeconds, usd, type JsonOf } from './fields';
import { keyLimitsRequest, keyLimitsSchema } from './limits';
import { textLine } from './text-line';
import { policyFields, policyRequestFields } from './policies';

// API keys, and the requests that create and change them. In a request every mistake is an error: if a misspelt
// restriction were ignored, the key would have more rights than its maker intended.

export type SpendLimitJson = JsonOf<typeof spendLimitSchema>;
export const spendLimitSchema = z.strictObject({
  amount: usd,
  period: z.enum(['total', 'daily', 'weekly', 'monthly']),
  spent: usd.describe('In the current period.'),
  resets_at: unixSeconds.exactOptional(),
});

export type KeyJson = JsonOf<typeof keySchema>;
export const keySchema = z.strictObject({
  id: z.string(),
  object: z.literal('api_key'),
  name: z.string(),
  mode: modeSchema,
  display: z.string().describe('The beginning and the end of the key, such as "pb_test_••••aB3x".'),
  status: z.enum(['active', 'disabled', 'expired', 'revoked']),
  scopes: z.array(z.enum(['inference', 'manage'])),
  project: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      limit: spendLimitSchema
        .nullable()
        .describe("The project's budget, and how much of it was spent in the mode of the key."),
    })
    .nullable(),
  ...policyFields,
  limit: spendLimitSchema.nullable(),
  limits: keyLimitsSchema.nullable().describe("The key's own rates and levels, within those of the organisation."),
  created_by: z.string().nullable(),
  created_by_name: z.string().nullable().describe('The name of that person, or the e-mail address.'),
  created_at: unixSeconds,
  last_used_at: unixSeconds.nullable(),
  expires_at: unixSeconds.nullable(),
  rotated_from: z.string().nullable(),
});
export type KeyListJson = JsonOf<typeof keyListSchema>;
export const keyListSchema = listOf(keySchema);

/** A new key: the only response that contains the key itself. */
export type CreatedKeyJson = JsonOf<typeof createdKeySchema>;
export const createdKeySchema = keySchema.extend({ key: z.string() });

const NAME = 'name must be a text of 1 to 100 characters.';
const PROJECT = 'project must be the id of a project, such as project_… from GET /console/api/projects, or null.';
const LIMIT = 'limit must be null or an object such as {"amount": "25.00", "period": "monthly"}.';
const AMOUNT =
  'limit.amount must be a decimal string of dollars such as "25.00", not negative, with at most nine decimals and at most 1000000000.';
const EXPIRY =
  'expires_at must be unix seconds or an ISO 8601 date with a time zone such as "2027-01-31T00:00:00Z", or null.';
const MAX_OVERLAP_SECONDS = 604_800;

export const nameRequest = textLine(NAME, 'name', 100);

const scopes = z
  .array(
    z.enum(['inference', 'manage'], 'scopes may contain "inference" and "manage".'),
    'scopes must be a list of "inference" and "manage".',
  )
  .min(1, 'scopes must contain "inference", "manage" or both.')
  .transform((list) => [...new Set(list)]);

/** The request for a spend limit; null removes it. */
export const spendLimitRequest = z
  .strictObject(
    {
      amount: limitOfUsd(AMOUNT),
      period: z.enum(
        ['total', 'daily', 'weekly', 'monthly'],
        'limit.period must be "total", "daily", "weekly" or "monthly".',
      ),
    },
    LIMIT,
  )
  .nullable()
  .optional();

function expiry(now: Date) {
  return z
    .unknown()
    .describe(EXPIRY)
    .transform((value, context): Date | null => {
      if (value === null) return null;
      const error = (message: string, params?: { code: 'invalid_type' }) => {
        context.addIssue({ code: 'custom', message, input: value, ...(params ? { params } : {}) });
        return z.NEVER;
      };
      if (typeof value !== 'number' && typeof value !== 'string') return error(EXPIRY, { code: 'invalid_type' });
      const date = typeof value === 'number' ? secondsToDate(value) : isoToDate(value);
      if (!date) return error(EXPIRY);
      return date > now ? date : error('expires_at must lie in the future.');
    })
    .optional();
}

function secondsToDate(seconds: number): Date | undefined {
  // A larger value is milliseconds by mistake.
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000) : undefined;
}

function isoToDate(text: string): Date | undefined {
  if (!z.iso.datetime({ offset: true }).safeParse(text).success) return undefined;
  const date = new Date(text);
  return date.getTime() <= LAST_SECOND * 1000 ? date : undefined;
}

const mode = z.enum(['live', 'test'], 'mode must be "live" or "test".');

/** The request for a new key. An expiry must be later than `now`. */
export type CreateKeyRequest = z.infer<ReturnType<typeof createKeyRequestSchema>>;
export function createKeyRequestSchema(now: Date) {
  return z.strictObject({
    name: nameRequest,
    mode,
    scopes: scopes.default(['inference']),
    limit: spendLimitRequest,
    limits: keyLimitsRequest,
    expires_at: expiry(now),
    project: z.string(PROJECT).nullable().optional(),
    ...policyRequestFields,
  });
}

/** The request for a change: an absent field stays as it is, null removes a restriction. */
export type UpdateKeyRequest = z.infer<ReturnType<typeof updateKeyRequestSchema>>;
export function updateKeyRequestSchema(now: Date) {
  return z.strictObject({
    name: nameRequest.optional(),
    disabled: z.boolean('disabled must be true or false.').optional(),
    scopes: scopes.optional(),
    limit: spendLimitRequest,
    limits: keyLimitsRequest,
    expires_at: expiry(now),
    project: z.string(PROJECT).nullable().optional(),
    ...policyRequestFields,
  });
}

const OVERLAP = `overlap_seconds must be a whole number between 0 and ${MAX_OVERLAP_SECONDS} (7 days).`;

/** The request for a rotation, which says for how long the old key stays valid. */
export const rotateKeyRequestSchema = z.strictObject({
  overlap_seconds: z
    .number(OVERLAP)
    .refine((seconds) => Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS, OVERLAP)
    .default(0),
});
