import { z } from 'zod';
import { amountOfUsd, currency, MAX_USD, modeSchema, pageOf, unixSeconds, usd, type JsonOf } from './fields';
import { textLine } from './text-line';

// The balance of an account, and the transfers with which the operator changes it. An ambiguous request for a transfer
// is refused, because it moves money.

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

const AMOUNT = `amount must be a decimal string of dollars such as "25.00", not zero, with at most nine decimals and at most ${MAX_USD}.`;
const REFERENCE =
  'reference must be a text of 1 to 200 characters, such as the number of an invoice. A request that repeats a reference moves no credits again.';
const REASON = 'reason must be a text of 1 to 500 characters. The organisation can read it.';
const SUBJECT = 'subject must be the id of a video, a message or an audio session of this account.';

const mode = z.enum(['live', 'test'], 'mode must be "live" or "test".');

/** The amount is negative only for `adjust`, and never zero; `subject` is what a refund is for. */
export type TransferRequest = z.infer<typeof transferRequestSchema>;
export const transferRequestSchema = z
  .strictObject({
    organization: z.string('organization must be the id of an organisation.').optional(),
    mode,
    kind: z.enum(['grant', 'adjust', 'refund'], 'kind must be "grant", "adjust" or "refund".'),
    amount: amountOfUsd(AMOUNT, true),
    reference: textLine(REFERENCE, 'reference', 200),
    reason: textLine(REASON, 'reason', 500),
    subject: textLine(SUBJECT, 'subject', 100).optional(),
  })
  .superRefine((request, context) => {
    if (request.kind !== 'adjust' && request.amount < 0n) {
      context.addIssue({
        code: 'custom',
        path: ['amount'],
        message: `amount must be positive for a ${request.kind}. To take credits back, use kind "adjust".`,
        input: request.amount,
      });
    }
    if (request.kind !== 'refund' && request.subject !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['subject'],
        message: `subject is only for a refund. Remove it from this ${request.kind === 'grant' ? 'grant' : 'adjustment'}.`,
        input: request.subject,
      });
    }
  });
