import { z } from 'zod';
import type { Capability } from '../domain/model';
import { messagesBindingSchema, messagesEntrySchema, messagesPriceSchema } from './messages-entry';
import { videoBindingSchema, videoEntrySchema, videoPriceSchema } from './model-entry';
import {
  sttBindingSchema,
  sttEntrySchema,
  sttPriceSchema,
  ttsBindingSchema,
  ttsEntrySchema,
  ttsPriceSchema,
} from './speech-entry';

// The format of CATALOG_FILE: our own entries, with the date of each price in a separate field, and changes of existing
// models. `npm run docs:config` writes it to docs/catalog.schema.json as JSON Schema.

type Shape = Readonly<Record<string, z.ZodType>>;

/** Fields that a change cannot have: its bindings inherit them, or they identify the model. */
const FIXED = ['id', 'kind', 'created', 'parameters', 'price', 'bindings', 'facts'];

const dayFields = {
  source: z.string().min(1).describe('Where the numbers come from, such as the URL of a price page.'),
  date: z.iso.date().describe('The day on which they were read there, such as "2026-11-23".'),
};

const videoPrice = videoPriceSchema.extend(dayFields);
const messagesPrice = messagesPriceSchema.extend(dayFields);
const sttPrice = sttPriceSchema.extend(dayFields);
const ttsPrice = ttsPriceSchema.extend(dayFields);

/** An entry that adds a model or replaces ours with the same id. */
export const fileEntrySchemas = {
  video: videoEntrySchema.extend({
    capability: z.literal('video'),
    price: videoPrice,
    bindings: z.array(videoBindingSchema.extend({ price: videoPrice.exactOptional() })).min(1),
  }),
  messages: messagesEntrySchema.extend({
    capability: z.literal('messages'),
    bindings: z.array(messagesBindingSchema.extend({ price: messagesPrice })).min(1),
  }),
  stt: sttEntrySchema.extend({
    capability: z.literal('stt'),
    bindings: z.array(sttBindingSchema.extend({ price: sttPrice })).min(1),
  }),
  tts: ttsEntrySchema.extend({
    capability: z.literal('tts'),
    bindings: z.array(ttsBindingSchema.extend({ price: ttsPrice })).min(1),
  }),
} as const satisfies Readonly<Record<Capability, z.ZodObject>>;

/** A change of a model, with only the fields that it changes. */
export const fileChangeSchemas = {
  video: changeOf(videoEntrySchema.shape, {
    price: priceChange(videoPrice),
    bindings: bindingChanges(videoBindingSchema.shape, videoPrice),
  }),
  messages: changeOf(messagesEntrySchema.shape, {
    price: priceChange(messagesPrice),
    facts: factsChange(messagesEntrySchema.shape.facts.shape),
    bindings: bindingChanges(messagesBindingSchema.shape, messagesPrice),
  }),
  stt: changeOf(sttEntrySchema.shape, {
    price: priceChange(sttPrice),
    facts: factsChange(sttEntrySchema.shape.facts.shape),
    bindings: bindingChanges(sttBindingSchema.shape, sttPrice),
  }),
  tts: changeOf(ttsEntrySchema.shape, {
    price: priceChange(ttsPrice),
    facts: factsChange(ttsEntrySchema.shape.facts.shape),
    bindings: bindingChanges(ttsBindingSchema.shape, ttsPrice),
  }),
} as const satisfies Readonly<Record<Capability, z.ZodObject>>;

export const catalogFileSchema = z.strictObject({
  $schema: z.string().exactOptional().describe('For editors: the URL or path of this schema.'),
  models: z.array(
    z
      .union([
        ...titled(fileEntrySchemas, (capability) => `A whole ${capability} model`),
        ...titled(fileChangeSchemas, (capability) => `A change of a ${capability} model`),
      ])
      .describe(
        'With "capability": a whole model, new or in the place of the one with its id. Without: a change of the model with this id.',
      ),
  ),
});

function titled(schemas: Readonly<Record<string, z.ZodType>>, title: (capability: string) => string) {
  return Object.entries(schemas).map(([capability, schema]) => schema.meta({ title: title(capability) }));
}

function changeOf<Own extends Shape>(shape: Shape, own: Own) {
  return z.strictObject({
    id: z.string().describe('The id of a model of the catalog; not an alias.'),
    ...changeable(shape, FIXED),
    ...own,
  });
}

function priceChange<Price extends z.ZodType>(price: Price) {
  return z.exactOptional(price).describe('The price of every binding for which the change states no other.');
}

function factsChange(shape: Shape) {
  return z.strictObject(changeable(shape, [])).exactOptional();
}

function bindingChanges<Price extends z.ZodType>(shape: Shape, price: Price) {
  return z
    .array(
      z.strictObject({
        ...changeable(shape, ['providerId', 'modelName', 'price']),
        providerId: z.string(),
        modelName: z.string().min(1),
        removed: z.literal(true).exactOptional().describe('Removes the binding.'),
        price: z.exactOptional(price),
      }),
    )
    .exactOptional()
    .describe(
      'Provider and upstream name say which binding is changed; one that the model does not have is added last.',
    );
}

/** Makes the fields of a change optional. Null removes a field that an entry may leave out. */
function changeable(shape: Shape, fixed: readonly string[]): Shape {
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([name]) => !fixed.includes(name))
      .map(([name, field]) => [
        name,
        z.exactOptional(
          field instanceof z.ZodExactOptional
            ? z.nullable(field.unwrap()).describe(`${field.description ?? ''} Null: as if it were absent.`.trim())
            : field,
        ),
      ]),
  );
}
