import { z } from 'zod';

// JSON Schema from the zod schemas, for the documents that describe the API.

/** JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const SCHEMAS = '#/components/schemas/';

/**
 * Converts these schemas to components by name. A schema that contains another named one refers to it. `input`
 * describes what a request may contain, `output` what a response contains.
 */
export function componentsOf(
  named: ReadonlyMap<z.ZodType, string>,
  io: 'input' | 'output',
): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => SCHEMAS + id,
    // Descriptions are in zod's own registry, which this one replaces.
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description ??= description;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => name !== '__shared')
      .map(([name, schema]) => [name, simplified(schema, io) as JsonSchema]), // Safe: an object stays an object.
  );
}

/** Converts one schema, without references, as the input of a request. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return simplified(z.toJSONSchema(schema, { io: 'input' }), 'input') as JsonSchema; // Safe: as above.
}

export const refTo = (name: string): JsonSchema => ({ $ref: SCHEMAS + name });

// Removes keywords without information (the bounds of JavaScript's integers, that property names are strings,
// identifiers). Also removes `additionalProperties: false` from outputs, because a later version may add fields.
function simplified(value: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(value)) return value.map((each) => simplified(each, io));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !saysNothing(name, each, io))
      .map(([name, each]) => [name, simplified(each, io)]),
  );
}

function saysNothing(name: string, value: unknown, io: 'input' | 'output'): boolean {
  if (name === '$id' || name === '$schema' || name === 'propertyNames')
    return typeof value !== 'object' || isString(value);
  if (name === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  if (name === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  return name === 'additionalProperties' && value === false && io === 'output';
}

function isString(schema: object | null): boolean {
  return schema !== null && 'type' in schema && schema.type === 'string' && Object.keys(schema).length === 1;
}
