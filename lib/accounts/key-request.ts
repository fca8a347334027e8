import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { Scope } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { parseUsd, type NanoUsd } from '../domain/money';
import type { Mode } from '../domain/video';
import type { LimitPeriod } from '../db/schema/accounts';
import { parseBody, UNPRINTABLE } from './parse-body';

// Parses the bodies of the key routes. Every mistake is an error: if a misspelt restriction were ignored, the key would
// have more rights than its maker intended.

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

interface KeyLimit {
  readonly amount: NanoUsd;
  readonly period: LimitPeriod;
}

/** Absent: no restriction. In an update: absent leaves it unchanged, null removes the restriction. */
interface KeyLists {
  readonly allowed_models?: string[] | null | undefined;
  readonly allowed_providers?: string[] | null | undefined;
  readonly allowed_endpoints?: string[] | null | undefined;
  readonly allowed_addresses?: string[] | null | undefined;
}

export interface CreateKeyRequest extends KeyLists {
  readonly name: string;
  readonly mode: Mode;
  readonly scopes: Scope[];
  readonly limit?: KeyLimit | null | undefined;
  readonly expires_at?: Date | null | undefined;
}

export interface UpdateKeyRequest extends KeyLists {
  readonly name?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly scopes?: Scope[] | undefined;
  readonly limit?: KeyLimit | null | undefined;
  readonly expires_at?: Date | null | undefined;
}

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

/** Throws with `param` and a message; see `parseBody`. */
export function parseCreateKey(body: unknown, clock: Clock): CreateKeyRequest {
  const schema = z.strictObject({
    name,
    mode,
    scopes: scopes.default(['inference']),
    limit,
    expires_at: expiry(clock.now()),
    ...lists,
  });
  const request = parseBody(schema, body);
  checkScopes(request.mode, request.scopes);
  return request;
}

export function parseUpdateKey(body: unknown, clock: Clock): UpdateKeyRequest {
  const disabled = z.boolean('disabled must be true or false.').optional();
  const schema = z.strictObject({
    name: name.optional(),
    disabled,
    scopes: scopes.optional(),
    limit,
    expires_at: expiry(clock.now()),
    ...lists,
  });
  return parseBody(schema, body);
}

/** An absent body counts as an empty one: rotating needs no parameters. */
export function parseRotateKey(body: unknown): { readonly overlapSeconds: number } {
  const rule = `overlap_seconds must be a whole number between 0 and ${MAX_OVERLAP_SECONDS} (7 days).`;
  const overlap = z
    .number(rule)
    .refine((seconds) => Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS, rule);
  const { overlap_seconds } = parseBody(z.strictObject({ overlap_seconds: overlap.default(0) }), body ?? {});
  return { overlapSeconds: overlap_seconds };
}

/** A test key cannot have the scope `manage`: test keys are shared more freely than live ones. */
export function checkScopes(keyMode: Mode, wanted: readonly Scope[]): void {
  if (keyMode === 'live' || !wanted.includes('manage')) return;
  throw new GatewayError(
    'conflicting_parameters',
    'The scope "manage" is for live keys only. Remove it from scopes, or set mode to "live".',
    {
      param: 'scopes',
    },
  );
}
