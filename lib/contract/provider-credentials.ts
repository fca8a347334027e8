import { z } from 'zod';
import { listOf, unixSeconds, type JsonOf } from './fields';
import { capabilitySchema, verificationSchema } from './providers';

// The credentials of an organisation for its own accounts at providers. Their values can be written but never read.

export type ProviderCredentialJson = JsonOf<typeof providerCredentialSchema>;
export const providerCredentialSchema = z.strictObject({
  id: z.string(),
  object: z.literal('provider_credential'),
  provider: z.string(),
  provider_name: z.string(),
  display: z.string().describe('The end of its last value, such as "••••aB3x".'),
  status: z
    .enum(['accepted', 'refused', 'unknown'])
    .describe(
      'Whether the provider accepted it the last time it was verified or used; unknown if the response did not show it.',
    ),
  verified_at: unixSeconds
    .nullable()
    .describe('When the provider last accepted or refused it at a verification; null: never.'),
  refused_since: unixSeconds.nullable().describe('Since when the provider refuses it; null while it does not.'),
  last_error: z
    .strictObject({ at: unixSeconds, message: z.string() })
    .nullable()
    .describe('The last refusal by the provider. It stays after the provider accepts the credential again.'),
  models: z.array(z.string()).describe('The models that it serves, without credits.'),
  created_at: unixSeconds,
  created_by: z.string().nullable(),
  created_by_name: z.string().nullable(),
});

const ownProviderSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  capabilities: z.array(capabilitySchema),
  credentials: z
    .array(z.array(z.strictObject({ name: z.string(), description: z.string() })))
    .describe('One of these is enough; all values of it are needed.'),
});

/** The organisation's credentials, and the providers that it can have credentials for. */
export type ProviderCredentialListJson = JsonOf<typeof providerCredentialListSchema>;
export const providerCredentialListSchema = listOf(providerCredentialSchema).extend({
  providers: z.array(ownProviderSchema),
});

/** The response to a verification: the credential as it is now, and the provider's result for each capability. */
export type VerifiedCredentialJson = JsonOf<typeof verifiedCredentialSchema>;
export const verifiedCredentialSchema = providerCredentialSchema.extend({ results: z.array(verificationSchema) });

const SETTINGS =
  'settings must be an object of texts such as {"FAL_API_KEY": "…"}, with all values of one credential of the provider.';

export const storeCredentialRequestSchema = z.strictObject({
  provider: z.string('provider must be the id of a provider, such as "fal".'),
  settings: z
    .record(
      z.string(),
      z
        .string(SETTINGS)
        .trim()
        .min(1, SETTINGS)
        .max(8_192, SETTINGS)
        .regex(/^[\x20-\x7e]+$/, SETTINGS),
      SETTINGS,
    )
    .describe('The values by the name of the variable.'),
});
