import { z } from 'zod';
import { listOf, modeSchema, unixSeconds, usd, type JsonOf } from './fields';

// Reports: usage by day, the performance of models, the ledger, the statement of a month. Their sums agree to the last
// digit.

export const usageDimensions = ['model', 'provider', 'key', 'kind', 'person'] as const;
export const usageIntervals = ['day', 'week', 'month'] as const;
export const usageKinds = ['video', 'message', 'transcription', 'speech'] as const;

const utcDay = z.iso.date().describe('A day of UTC.');
const count = z.int().nonnegative();

const failed = count.describe('All others, including cancelled videos and messages that ended early.');
const excused = count.describe(
  'The part of `failed` that is not in the error rate, because the provider did not cause them: videos that were cancelled or refused for their content or media.',
);

const measures = {
  requests: count.describe('Videos, messages and sessions that ended: `succeeded` and `failed` together.'),
  succeeded: count.describe('Includes sessions that were cancelled or ended early.'),
  failed,
  excused,
  charged: usd,
  refunded: usd.describe('Refunded in this time, for work of any time.'),
  spent: usd.describe('`charged` minus `refunded`; may be negative.'),
  input_tokens: count.describe('Neither read from a cache nor written to one.'),
  cache_read_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  media_seconds: z.number().nonnegative().describe('Length of completed videos and of transcribed audio.'),
  characters: count,
};

export type UsageMeasuresJson = JsonOf<typeof measuresSchema>;
const measuresSchema = z.strictObject(measures);

export type UsageGroupJson = JsonOf<typeof groupSchema>;
const groupSchema = z.strictObject({
  id: z.string().nullable().describe('The value of the dimension; null for all smaller groups together.'),
  name: z.string().describe('For people, such as the name of the key.'),
  ...measures,
});

export type UsageJson = JsonOf<typeof usageSchema>;
export const usageSchema = z.strictObject({
  object: z.literal('usage'),
  mode: modeSchema,
  from: utcDay,
  to: utcDay.describe('The last day, which is included.'),
  by: z.enum(usageDimensions),
  interval: z.enum(usageIntervals),
  total: measuresSchema,
  groups: z.array(groupSchema).describe('The one with the largest sum first.'),
  periods: z
    .array(
      z.strictObject({
        start: utcDay.describe('The first day of the day, week (Monday) or month.'),
        ...measures,
        groups: z.array(z.strictObject({ id: z.string().nullable(), requests: count, failed, spent: usd })),
      }),
    )
    .describe('The earliest first; periods without usage are absent.'),
});

const percentilesSchema = z
  .strictObject({ p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .describe('Seconds, within 5 %; null without successful work, and for audio, whose length the caller decides.');

export type PerformanceJson = JsonOf<typeof performanceSchema>;
export const performanceSchema = z.strictObject({
  object: z.literal('performance'),
  mode: modeSchema,
  from: utcDay,
  to: utcDay,
  models: z.array(
    z.strictObject({
      model: z.string(),
      requests: count,
      failed,
      excused,
      error_rate: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe('`failed` minus `excused`, divided by `requests` minus `excused`; null without such requests.'),
      first_content: percentilesSchema,
      duration: percentilesSchema,
    }),
  ),
});

const keyRef = z.strictObject({
  id: z.string(),
  name: z.string().describe('"Console" for work of people in the console.'),
});

export const ledgerKinds = ['hold', 'capture', 'release', 'grant', 'adjust', 'refund'] as const;

export type LedgerEntryJson = JsonOf<typeof ledgerEntrySchema>;
const ledgerEntrySchema = z.strictObject({
  id: z.string(),
  object: z.literal('ledger_entry'),
  kind: z.enum(ledgerKinds).describe('A capture charges a hold, and gives the rest of it back.'),
  available: usd.describe('The change of the available credits.'),
  held: usd.describe('The change of the held credits.'),
  charged: usd.describe('The change of the spent credits; negative for a refund.'),
  balance: z
    .strictObject({ available: usd, held: usd })
    .nullable()
    .describe('The credits after this entry; null in a filtered list, and where newer entries were deleted by age.'),
  cause: z
    .discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('video'),
        id: z.string(),
        model: z.string().nullable(),
        deleted: z.boolean(),
      }),
      z.strictObject({
        kind: z.literal('message'),
        count: count.describe('The number of messages that were charged to the hold; 0 until then.'),
        messages: z
          .array(z.strictObject({ id: z.string(), model: z.string(), cost: usd }))
          .describe('The first three messages.'),
      }),
      z.strictObject({
        kind: z.enum(['transcription', 'speech']),
        id: z.string(),
        session: z.string().nullable(),
        model: z.string().nullable(),
      }),
      z.strictObject({
        kind: z.literal('transfer'),
        reference: z.string().nullable(),
        reason: z.string().nullable(),
        subject: z.string().nullable().describe('For a refund: the video, message or audio session.'),
      }),
    ])
    .describe('What caused the movement.'),
  hold: z.strictObject({ id: z.string(), state: z.enum(['open', 'captured', 'released']) }).nullable(),
  key: keyRef.nullable(),
  created_at: unixSeconds,
});

export type LedgerPageJson = JsonOf<typeof ledgerPageSchema>;
export const ledgerPageSchema = listOf(ledgerEntrySchema).extend({
  next: z
    .string()
    .nullable()
    .describe('The `after` of the next page; null on the last. A page of a filtered list may have fewer entries.'),
});

const statementLine = z.strictObject({
  id: z.string(),
  name: z.string(),
  requests: count,
  charged: usd,
  refunded: usd,
  spent: usd,
});

export type StatementJson = JsonOf<typeof statementSchema>;
export const statementSchema = z.strictObject({
  object: z.literal('statement'),
  mode: modeSchema,
  organization: z.strictObject({ id: z.string(), name: z.string() }),
  month: z.string().regex(/^\d{4}-\d{2}$/),
  complete: z.boolean().describe('False for the current month.'),
  first_month: z.string().nullable().describe('The first month with an entry; null without any.'),
  opening: usd.describe('Available and held credits at the beginning of the month.'),
  granted: usd,
  adjusted: usd.describe('May be negative.'),
  charged: usd,
  refunded: usd,
  closing: usd.describe('opening + granted + adjusted - charged + refunded.'),
  models: z.array(statementLine.extend({ kind: z.string() })),
  keys: z.array(statementLine),
  transfers: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['grant', 'adjust', 'refund']),
      amount: usd,
      reference: z.string().nullable(),
      reason: z.string().nullable(),
      subject: z.string().nullable(),
      created_at: unixSeconds,
    }),
  ),
});
