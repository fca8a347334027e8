import { z } from 'zod';
import { listOf, modeSchema, unixSeconds, usd, type JsonOf } from './fields';
import { REQUEST_KINDS, requestStatusSchema } from './requests';

// What happened in an organisation, and what can be found in it: the overview and the search of the console.

export type ActivityEntryJson = JsonOf<typeof activityEntrySchema>;
const activityEntrySchema = z.strictObject({
  kind: z.enum(REQUEST_KINDS),
  id: z.string(),
  model: z.string(),
  status: requestStatusSchema,
  cost: usd.describe('The held amount while it runs.'),
  created_at: unixSeconds,
});

export type ActivityJson = JsonOf<typeof activitySchema>;
export const activitySchema = z.strictObject({
  object: z.literal('activity'),
  mode: modeSchema,
  spent: z
    .strictObject({
      today: usd,
      last_30_days: usd,
      days: z.array(z.strictObject({ day: z.iso.date(), amount: usd })).describe('Oldest first; today is the last.'),
    })
    .describe('Finished work per UTC day, less the refunds made on that day, so a day may be negative.'),
  running: z.int().describe('The number of videos, messages and sessions that hold credits now.'),
  latest: z.array(activityEntrySchema).describe('Newest first.'),
});

export type FoundJson = JsonOf<typeof foundSchema>;
const found = { object: z.literal('search_result'), id: z.string(), title: z.string(), detail: z.string() };
const foundSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...found, kind: z.literal('model') }),
  z
    .strictObject({ ...found, kind: z.literal('guide') })
    .describe('A section of the documentation; the id is its path below /docs.'),
  z.strictObject({ ...found, kind: z.enum(['key', 'video', 'message', 'session']), mode: modeSchema }),
]);
export type FoundListJson = JsonOf<typeof foundListSchema>;
export const foundListSchema = listOf(foundSchema);
