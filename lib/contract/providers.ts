import { z } from 'zod';
import { listOf, type JsonOf } from './fields';

// The providers of an installation, for its operator.

export const capabilitySchema = z.enum(['video', 'messages', 'stt', 'tts']);

const providerSchema = z.strictObject({
  id: z.string(),
  object: z.literal('provider'),
  name: z.string(),
  capabilities: z.array(capabilitySchema),
  offered: z.boolean(),
  reason: z.string().nullable().describe('Why it is not offered, and what to set.'),
  models: z.int().describe('The models that it can serve live now.'),
  unconfirmed_models: z
    .array(z.string())
    .describe(
      'The models that it could serve, or serve at more resolutions, if their prices were confirmed with CONFIRMED_PRICES.',
    ),
});
export type ProviderListJson = JsonOf<typeof providerListSchema>;
export const providerListSchema = listOf(providerSchema);

/** Without `provider`, all offered providers are verified. */
export const verifyRequestSchema = z.strictObject({ provider: z.string().optional() });

export type VerificationJson = JsonOf<typeof verificationSchema>;
export const verificationSchema = z.strictObject({
  provider: z.string(),
  capability: capabilitySchema,
  outcome: z
    .enum(['accepted', 'refused', 'unknown'])
    .describe(
      'Whether the provider accepts the credentials; unknown if its answer does not show it, or there was none.',
    ),
  message: z.string(),
});
export type VerificationListJson = JsonOf<typeof verificationListSchema>;
export const verificationListSchema = listOf(verificationSchema);
