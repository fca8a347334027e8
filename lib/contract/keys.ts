import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseUsd, type NanoUsd } from '../domain/money';
import { listOf, modeSchema, unixSeconds, usd, type JsonOf } from './fields';
import { keyLimitsRequest, keyLimitsSchema } from './limits';
import { UNPRINTABLE } from './parse-body';

// API keys, and the requests that make and change them. In a request every mistake is an error: if a misspelt restriction
// were ignored, the key would have more rights than its maker intended.

const allowed = z.array(z.string()).nullable().describe('Null allows everything.');

export type KeyJson = JsonOf<typeof keySchema>;
export const keySchema = z.strictObject({
  id: z.string(),
  object: z.literal('api_key'),
  name: z.string(),
  mode: modeSchema,
  display: z.string().describe('Its beginning and its end, such as "pb_test_••••aB3x".'),
  status: z.enum(['active', 'disabled', 'expired', 'revoked']),
  scopes: z.array(z.enum(['inference', 'manage'])),
  allowed_models: allowed,
  allowed_providers: allowed,
  allowed_endpoints: allowed,
  allowed_addresses: allowed,
  limit: z
    .strictObject({
      amount: usd,
      period: z.enum(['total', 'daily', 'weekly', 'monthly']),
      spent: usd.describe('In the current period.'),
      resets_at: unixSeconds.exactOptional(),
    })
    .nullable(),
  limits: keyLimitsSchema.nullable().describe('Its own rates and levels, within those of the organisation.'),
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
const LIMIT = 'limit must be null or an object such as {"amount": "25.00", "period": "monthly"}.';
const AMOUNT =
  'limit.amount must be a decimal string of dollars such as "25.00", with at most nine decimals and at most 1000000000.';
const EXPIRY =
  'expires_at must be unix seconds or an ISO 8601 date with a time zone such as "2027-01-31T00:00:00Z", or null.';
const MAX_USD = 1_000_000_000n * 1_000_000_000n;
/** The last second of the year 9999; larger values are milliseconds by mistake. */
const LAST_SECOND = 253_402_300_799;
const MAX_OVERLAP_SECONDS = 604_800;

const name = z
  .string(NAME)
  .trim()
  .min(1, NAME)
  .max(100, NAME)
  .refine((text) => !UNPRINTABLE.test(text), {
    error: 'name must not contain control characters.',
    params: { code: 'invalid_character' },
  });

const scopes = z
  .array(
    z.enum(['inference', 'manage'], 'scopes may contain "inference" and "manage".'),
    'scopes must be a list of "inference" and "manage".',
  )
  .min(1, 'scopes must contain "inference", "manage" or both.')
  .transform((list) => [...new Set(list)]);

const limit = z
  .strictObject(
    {
      amount: z.string(AMOUNT).transform((text, context): NanoUsd => {
        try {
          const amount = parseUsd(text);
          if (amount <= MAX_USD) return amount;
        } catch {
          // Not a plain decimal; the error below states the format.
        }
        context.addIssue({ code: 'custom', message: AMOUNT, input: text });
        return z.NEVER;
      }),
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
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000) : undefined;
}

function isoToDate(text: string): Date | undefined {
  return z.iso.datetime({ offset: true }).safeParse(text).success ? new Date(text) : undefined;
}

function list(param: string, of: string, accepts: RegExp) {
  const rule = `${param} must be null or a list of 1 to 100 ${of}.`;
  return z
    .array(z.string(rule).regex(accepts, rule), rule)
    .min(1, `${rule} An empty list would allow nothing; null allows everything.`)
    .max(100, rule)
    .transform((texts) => [...new Set(texts)])
    .nullable()
    .optional();
}

const ADDRESSES =
  'allowed_addresses must be null or a list of 1 to 100 IP addresses or ranges such as "203.0.113.7", "203.0.113.0/24" or "2001:db8::/32".';

const lists = {
  allowed_models: list('allowed_models', 'model ids such as "sandbox-t2v"', /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$/),
  allowed_providers: list('allowed_providers', 'provider ids such as "sandbox"', /^[a-z0-9][a-z0-9._-]{0,63}$/),
  allowed_endpoints: list('allowed_endpoints', 'path prefixes such as "/v1/videos"', /^\/v1(?:\/[a-z_]{1,64}){0,8}$/),
  allowed_addresses: z
    .array(z.string(ADDRESSES).refine(isAddressOrRange, ADDRESSES), ADDRESSES)
    .min(1, `${ADDRESSES} An empty list would allow nothing; null allows everything.`)
    .max(100, ADDRESSES)
    .transform((texts) => [...new Set(texts)])
    .nullable()
    .optional(),
};

/** Strict forms only: `ipaddr.js` also accepts `1` and `0x7f.1` as addresses. */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const v4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!v4 && !(ipaddr.IPv6.isValid(address) && !address.includes('%'))) return false;
  return bits === undefined || ipaddr.isValidCIDR(text);
}

const mode = z.enum(['live', 'test'], 'mode must be "live" or "test".');

/** The request for a new key. `now`: an expiry must lie after it. */
export type CreateKeyRequest = z.infer<ReturnType<typeof createKeyRequestSchema>>;
export function createKeyRequestSchema(now: Date) {
  return z.strictObject({
    name,
    mode,
    scopes: scopes.default(['inference']),
    limit,
    limits: keyLimitsRequest,
    expires_at: expiry(now),
    ...lists,
  });
}

/** The request for a change: an absent field stays as it is, null removes a restriction. */
export type UpdateKeyRequest = z.infer<ReturnType<typeof updateKeyRequestSchema>>;
export function updateKeyRequestSchema(now: Date) {
  return z.strictObject({
    name: name.optional(),
    disabled: z.boolean('disabled must be true or false.').optional(),
    scopes: scopes.optional(),
    limit,
    limits: keyLimitsRequest,
    expires_at: expiry(now),
    ...lists,
  });
}

const OVERLAP = `overlap_seconds must be a whole number between 0 and ${MAX_OVERLAP_SECONDS} (7 days).`;

/** The request for a rotation: for how long the old key stays valid. */
export const rotateKeyRequestSchema = z.strictObject({
  overlap_seconds: z
    .number(OVERLAP)
    .refine((seconds) => Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS, OVERLAP)
    .default(0),
});
