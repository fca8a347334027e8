import { z } from 'zod';
import { isoInstant } from '../contract/fields';

// The fields that the entries of all capabilities share. The schemas of the entries are the format of `CATALOG_FILE`,
// published as docs/catalog.schema.json, and the types of the families' files come from them. Our own entries are not
// parsed at run time: the compiler checks their form, and `validate-catalog.ts` checks their contents.

const stabilitySchema = z
  .enum(['stable', 'beta', 'experimental'])
  .describe('Absent: stable. With no verified price it is experimental, whatever is stated here.');

/** A decimal number of dollars with as many digits as a unit price has. */
export const dollars = z
  .string()
  .regex(/^\d{1,18}(\.\d{1,18})?$/, 'must be a plain decimal in quotes, such as "0.05"')
  .describe('Dollars as a plain decimal in quotes, such as "0.05".');

/** A price per million units. At most 12 decimals, because a price per unit has at most 18. */
export const dollarsPerMillion = z
  .string()
  .regex(/^\d{1,18}(\.\d{1,12})?$/, 'must be a plain decimal in quotes with at most 12 decimals, such as "0.25"')
  .describe('Dollars for a million as a plain decimal in quotes, such as "0.25".');

export const identityFields = {
  id: z.string().describe('a-z, 0-9, "." and "-". The id of a video model ends in its kind, such as "-t2v".'),
  name: z.string().min(1).describe('For people, such as "Kling 3.0 text to video".'),
  aliases: z.array(z.string()).exactOptional().describe('Further names that callers may use.'),
  description: z.string().min(1).describe('Facts only: one or two sentences.'),
  family: z.string().min(1),
  created: z.int().positive().describe('Unix seconds: when the entry was added to the catalog.'),
  stability: stabilitySchema.exactOptional(),
  deprecatedAt: isoInstant.exactOptional().describe('From then on, responses say that the model is deprecated.'),
  deactivatedAt: isoInstant.exactOptional().describe('From then on, the model is retired and requests for it get 404.'),
  replacements: z
    .array(z.string())
    .exactOptional()
    .describe('Ids of active models that the error for a retired model suggests.'),
};

export const bindingFields = {
  providerId: z.string().describe('The id of a provider, as in a pinned model.'),
  modelName: z.string().min(1).describe("The provider's own name of the model."),
};

/** The stability of a binding, if it differs from the model's. */
export const bindingStability = stabilitySchema.exactOptional();

export const priceSourceFields = {
  source: z.string().min(1).describe('Where the numbers come from, with the date.'),
  verified: z
    .boolean()
    .describe(
      'Whether the price was confirmed at the source. If not, live requests are served only after CONFIRMED_PRICES names the model.',
    ),
};
