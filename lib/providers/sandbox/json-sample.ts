import type { Json } from '../../domain/json';

// A value that a JSON schema allows, as plain as it can be: for tool calls of a model that understands nothing.

const DEEPEST = 8;

/** Takes the first of what the schema offers. `words` fill texts that may be anything. */
export function sampleOf(schema: unknown, words: string, depth = 0): Json {
  const fields = fieldsOf(schema);
  if (fields.const !== undefined) return asJson(fields.const);
  if (Array.isArray(fields.enum) && fields.enum.length > 0) return asJson(fields.enum[0]);
  if (fields.default !== undefined) return asJson(fields.default);
  if (Array.isArray(fields.examples) && fields.examples.length > 0) return asJson(fields.examples[0]);
  for (const name of ['anyOf', 'oneOf', 'allOf']) {
    const choices = fields[name];
    if (Array.isArray(choices) && choices.length > 0) return sampleOf({ ...fields, [name]: undefined, ...fieldsOf(choices[0]) }, words, depth);
  }
  const type: unknown = Array.isArray(fields.type) ? fields.type[0] : fields.type;
  switch (type) {
    case 'string':
      return sampleText(fields, words);
    case 'integer':
    case 'number':
      return sampleNumber(fields);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const least = typeof fields.minItems === 'number' ? fields.minItems : 1;
      return depth >= DEEPEST ? [] : Array.from({ length: Math.min(Math.max(least, 1), 16) }, () => sampleOf(fields.items ?? { type: 'string' }, words, depth + 1));
    }
    default:
      return sampleObject(fields, words, depth);
  }
}

function sampleObject(fields: Fields, words: string, depth: number): Json {
  const properties = fieldsOf(fields.properties);
  const required = Array.isArray(fields.required) ? fields.required.filter((name): name is string => typeof name === 'string') : [];
  const names = depth >= DEEPEST ? [] : [...new Set([...required, ...Object.keys(properties)])].filter((name) => depth < 2 || required.includes(name));
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] ?? { type: 'string' }, words, depth + 1)]));
}

function sampleText(fields: Fields, words: string): string {
  const byFormat: Readonly<Record<string, string>> = {
    'date-time': '2026-01-01T00:00:00Z',
    date: '2026-01-01',
    time: '00:00:00Z',
    email: 'someone@example.com',
    uri: 'https://example.com/',
    uuid: '00000000-0000-4000-8000-000000000000',
    ipv4: '192.0.2.1',
  };
  const text = byFormat[String(fields.format)] ?? (words === '' ? 'sample' : words);
  const least = typeof fields.minLength === 'number' ? Math.min(fields.minLength, 1_000) : 0;
  const most = typeof fields.maxLength === 'number' ? fields.maxLength : 120;
  return text.padEnd(least, '.').slice(0, Math.max(least, most));
}

function sampleNumber(fields: Fields): number {
  if (typeof fields.minimum === 'number') return Math.ceil(fields.minimum);
  if (typeof fields.exclusiveMinimum === 'number') return Math.floor(fields.exclusiveMinimum) + 1;
  if (typeof fields.maximum === 'number') return Math.min(1, Math.floor(fields.maximum));
  return typeof fields.multipleOf === 'number' ? fields.multipleOf : 1;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  // Safe: an object that is not null can be asked for any field.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function asJson(value: unknown): Json {
  // Safe: it stands in a schema that came as JSON.
  return value as Json;
}
