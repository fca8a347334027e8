import { z } from 'zod';
import { currency, modeSchema, pageOf, unixSeconds, usd, type JsonOf } from './fields';

// The balance of an account, and the transfers by which the operator changes it.

export type CreditsJson = JsonOf<typeof creditsSchema>;
export const creditsSchema = z.strictObject({
  object: z.literal('credits'),
  mode: modeSchema,
  currency,
  available: usd,
  held: usd.describe('Reserved for work that is running.'),
  spent: usd.describe('Net of refunds.'),
});

export type TransferJson = JsonOf<typeof transferSchema>;
export const transferSchema = z.strictObject({
  id: z.string(),
  object: z.literal('credit_transfer'),
  organization: z.string(),
  mode: modeSchema,
  kind: z.enum(['grant', 'adjust', 'refund']),
  currency,
  amount: usd.describe('The change of the available credits; negative only for "adjust".'),
  available: usd.describe('The available credits right after the transfer.'),
  subject: z.string().nullable().describe('For a refund: the video, message or audio session.'),
  reference: z.string(),
  reason: z.string(),
  created_at: unixSeconds,
});

/** Newest first. */
export type TransferPageJson = JsonOf<typeof transferPageSchema>;
export const transferPageSchema = pageOf(transferSchema);
