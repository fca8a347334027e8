import { z } from 'zod';
import { amountOfUsd, listOf, MAX_USD, modeSchema, unixSeconds, usd, type JsonOf } from './fields';

// Thresholds of an account: its owners get an e-mail when one is crossed.

export const alertKinds = ['low_balance', 'daily_spend', 'monthly_spend'] as const;

export type AlertJson = JsonOf<typeof alertSchema>;
export const alertSchema = z.strictObject({
  id: z.string(),
  object: z.literal('alert'),
  mode: modeSchema,
  kind: z
    .enum(alertKinds)
    .describe('low_balance: available credits below the amount; the others: spent in a day or month of UTC.'),
  amount: usd,
  value: usd.describe('The balance or the spending now.'),
  crossed: z.boolean().describe('Whether it is crossed: in the current day or month, or for a balance now.'),
  announced_at: unixSeconds.nullable().describe('When the current crossing was noticed; null before.'),
  created_at: unixSeconds,
});

export type AlertListJson = JsonOf<typeof alertListSchema>;
export const alertListSchema = listOf(alertSchema).extend({
  mail: z.boolean().describe('Whether this installation can send e-mails.'),
});

const amount = amountOfUsd(
  `amount must be a decimal string of dollars such as "5.00", more than zero, with at most nine decimals and at most ${MAX_USD}.`,
);

export const createAlertRequestSchema = z.strictObject({
  kind: z.enum(alertKinds, 'kind must be "low_balance", "daily_spend" or "monthly_spend".'),
  amount,
});

export const updateAlertRequestSchema = z.strictObject({ amount });
