import { z } from 'zod';
import {
  keyLimitNames,
  limitForm,
  limitNames,
  parseLimit,
  shownLimit,
  type KeyLimitName,
  type LimitName,
  type LimitOverrides,
  type LimitValues,
} from '../domain/limits';
import { unixSeconds, usd, type JsonOf } from './fields';

// The limits between tenants in the API: numbers, and dollars as decimal strings.

const shownValue = (name: LimitName) => (name === 'spend_per_minute' ? usd : z.int().positive());

// Safe: there is an entry for each name. Spending has the schema of dollars, and the others are numbers.
export const keyLimitsSchema = z.strictObject(
  Object.fromEntries(keyLimitNames.map((name) => [name, shownValue(name).exactOptional()])) as {
    readonly [Name in KeyLimitName]: z.ZodExactOptional<Name extends 'spend_per_minute' ? typeof usd : z.ZodInt>;
  },
);
export type KeyLimitsJson = JsonOf<typeof keyLimitsSchema>;

/** Presents the limits of a key for the API. */
export function presentKeyLimits(values: LimitValues): KeyLimitsJson {
  const shown = keyLimitNames.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, shownLimit(name, value)]];
  });
  // Safe: `shownLimit` returns what the schema of the name describes.
  return Object.fromEntries(shown) as KeyLimitsJson;
}

const LIMITS = `limits must be null or an object such as {"requests_per_second": 50}, with these names: ${keyLimitNames.join(', ')}.`;

/** Replaces all own limits of a key; null removes them. */
export const keyLimitsRequest = z
  .record(z.string(), z.unknown(), LIMITS)
  .transform((given, context): LimitValues => {
    const values: Partial<Record<LimitName, number>> = {};
    for (const [name, value] of Object.entries(given)) {
      const known = keyLimitNames.find((each) => each === name);
      const parsed = known && parseShown(known, value);
      if (known !== undefined && parsed !== undefined) values[known] = parsed;
      else
        context.addIssue({
          code: 'custom',
          message: known ? `limits.${known} must be ${limitForm(known)}.` : LIMITS,
          path: known ? [known] : [],
          input: value,
        });
    }
    return values;
  })
  .nullable()
  .optional();

/** The limits of an organisation: the value in force, or "off". */
export type OrganizationLimitsJson = JsonOf<typeof organizationLimitsSchema>;
export const organizationLimitsSchema = z.strictObject({
  object: z.literal('organization_limits'),
  organization: z.string(),
  limits: z.partialRecord(z.enum(limitNames), z.union([z.int(), z.string()])).describe('A value, or "off".'),
  changed: z.array(z.enum(limitNames)).describe('The limits that differ from the configured ones.'),
});

/** Changes of the limits of an organisation. */
export type OrganizationLimitsRequest = z.infer<typeof organizationLimitsRequest>;
/** Changes the named limits: a value, "off", or null for the configured one. */
export const organizationLimitsRequest = z.strictObject({
  organization: z.string().optional(),
  limits: z
    .record(z.string(), z.unknown(), `limits must be an object with these names: ${limitNames.join(', ')}.`)
    .transform((given, context): { readonly set: LimitOverrides; readonly reset: readonly LimitName[] } => {
      const set: Partial<Record<LimitName, number | null>> = {};
      const reset: LimitName[] = [];
      for (const [name, value] of Object.entries(given)) {
        const known = limitNames.find((each) => each === name);
        const parsed = known && (value === 'off' ? null : parseShown(known, value));
        if (known !== undefined && value === null) reset.push(known);
        else if (known !== undefined && parsed !== undefined) set[known] = parsed;
        else
          context.addIssue({
            code: 'custom',
            message: known
              ? `limits.${known} must be ${limitForm(known)}, "off", or null for the configured limit.`
              : `limits must be an object with these names: ${limitNames.join(', ')}.`,
            path: known ? [known] : [],
            input: value,
          });
      }
      return { set, reset };
    }),
});

export const limitUseListSchema = z.strictObject({
  object: z.literal('list'),
  data: z.array(
    z.strictObject({
      name: z.enum(limitNames),
      scope: z.enum(['key', 'organization']),
      limit: z.union([z.int(), usd]),
      used: z.union([z.number(), usd]).describe('The current use, or the use in the current second or minute.'),
      resets_at: unixSeconds.exactOptional().describe('When the current second or minute ends.'),
    }),
  ),
});
export type LimitUseListJson = JsonOf<typeof limitUseListSchema>;

function parseShown(name: LimitName, value: unknown): number | undefined {
  const isDollars = name === 'spend_per_minute';
  return typeof value === (isDollars ? 'string' : 'number') ? parseLimit(name, String(value)) : undefined;
}
