import { z } from 'zod';
import type { Json } from '../domain/json';
import { parseUsd, type NanoUsd } from '../domain/money';

// The parts of the contract that several subjects use. Schemas of responses are strict, so that a test notices a field
// that is not in the contract. In the product they serve as types and documentation; no response is parsed. A field
// that may be absent is `exactOptional`, because JSON has no `undefined`. Pages of the console import only types from
// here, because zod does not belong in a browser's bundle.

/** The JSON value that a schema describes, deeply read-only, as our code builds and reads it. */
export type JsonOf<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

export const modeSchema = z.enum(['live', 'test']).describe('Live and test credits, keys and videos are separate.');
export const unixSeconds = z.int().nonnegative().describe('Unix seconds.');
export const exactUnixSeconds = z.number().nonnegative().describe('Unix seconds with up to three decimals.');
export const usd = z
  .string()
  .regex(/^-?\d+(\.\d{1,9})?$/)
  .describe('US dollars as a plain decimal, such as "0.05".');
export const unitPrice = z
  .string()
  .regex(/^\d+(\.\d{1,18})?$/)
  .describe('US dollars per unit as a plain decimal, such as "0.0000125".');
export const isoInstant = z.iso.datetime().describe('A time such as "2026-11-21T00:00:00Z".');
export const currency = z.literal('USD');
export const pixelSize = z
  .string()
  .regex(/^\d+x\d+$/)
  .describe('WIDTHxHEIGHT in pixels.');

/** Any JSON value. */
export const jsonValue: z.ZodType<Json> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(jsonValue), z.record(z.string(), jsonValue)]),
);

/** `{"object": "list", "data": […]}`. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ object: z.literal('list'), data: z.array(item) });
}

/** A page of a list. `has_more` says whether there are entries on the next page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ has_more: z.boolean() });
}

/** A page with the ids of its first and its last entry, which are null when it is empty. */
export function pageWithIdsOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).extend({ first_id: z.string().nullable(), last_id: z.string().nullable() });
}

/** The maximum amount of one request, in dollars. */
export const MAX_USD = '1000000';

/**
 * An amount of dollars in a request: not zero, and at most MAX_USD. Negative only if `signed`. `rule` is the error
 * message.
 */
export function amountOfUsd(rule: string, signed = false) {
  return usdText(rule, (text) => {
    const isNegative = signed && text.startsWith('-');
    const size = parseUsd(isNegative ? text.slice(1) : text);
    return size > 0n && size <= parseUsd(MAX_USD) ? (isNegative ? -size : size) : undefined;
  });
}

const MAX_LIMIT_USD = '1000000000';

/** A limit in dollars in a request: zero or more, and at most a billion. `rule` is the error message. */
export function limitOfUsd(rule: string) {
  return usdText(rule, (text) => {
    const amount = parseUsd(text);
    return amount <= parseUsd(MAX_LIMIT_USD) ? amount : undefined;
  });
}

function usdText(rule: string, read: (text: string) => NanoUsd | undefined) {
  return z.string(rule).transform((text, context): NanoUsd => {
    try {
      const amount = read(text);
      if (amount !== undefined) return amount;
    } catch {
      // Not a plain decimal; the error below states the format.
    }
    context.addIssue({ code: 'custom', message: rule, input: text });
    return z.NEVER;
  });
}
