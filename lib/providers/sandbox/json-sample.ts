import { fieldsOf, type Fields, type Json } from '../../domain/json';

// Generates a simple value that a JSON schema allows, for the tool calls of the scripted model. Schemas come from
// callers, and a few hundred bytes of nested arrays can describe billions of values, so a sample has one budget for all
// its values and steps.

const MAX_DEPTH = 8;
/** Maximum values in a sample plus schema choices followed. */
const MAX_NODES = 200;
const MAX_TEXT_CHARS = 1_000;

/** The remaining budget of a sample. */
interface Budget {
  nodes: number;
  chars: number;
}

/**
 * Generates a sample that takes the first of every choice. `words` fill unconstrained strings. Stops soon after
 * `maxChars` characters of JSON or 200 values; values beyond that are missing or null.
 */
export function sampleOf(schema: unknown, words: string, maxChars: number): Json {
  return sampleValue(schema, words, 0, { nodes: MAX_NODES, chars: maxChars });
}

function sampleValue(schema: unknown, words: string, depth: number, budget: Budget): Json {
  const fields = chosenFields(schema, budget);
  if (!take(budget, 1)) return null;
  if (fields.const !== undefined) return literal(fields.const, budget);
  if (Array.isArray(fields.enum) && fields.enum.length > 0) return literal(fields.enum[0], budget);
  if (fields.default !== undefined) return literal(fields.default, budget);
  if (Array.isArray(fields.examples) && fields.examples.length > 0) return literal(fields.examples[0], budget);
  const type: unknown = Array.isArray(fields.type) ? fields.type[0] : fields.type;
  switch (type) {
    case 'string':
      return sampleText(fields, words, budget);
    case 'integer':
    case 'number':
      return sampleNumber(fields, type === 'integer');
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return sampleArray(fields, words, depth, budget);
    default:
      return sampleObject(fields, words, depth, budget);
  }
}

/** Returns false if the budget is exhausted. */
function take(budget: Budget, chars: number): boolean {
  if (budget.nodes <= 0 || budget.chars <= 0) return false;
  budget.nodes -= 1;
  budget.chars -= chars;
  return true;
}

/** The keywords that affect a sample; others are not copied. */
const keywords = [
  'const',
  'enum',
  'default',
  'examples',
  'type',
  'items',
  'minItems',
  'properties',
  'required',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];
const choices = ['anyOf', 'oneOf', 'allOf'];

/** Returns the keywords of a schema and of the first schema of each of its choices; the inner ones win. */
function chosenFields(schema: unknown, budget: Budget): Fields {
  const chosen: Record<string, unknown> = {};
  for (let fields = fieldsOf(schema); ;) {
    for (const name of keywords) if (fields[name] !== undefined) chosen[name] = fields[name];
    const from = isDecided(chosen)
      ? undefined
      : choices.find((name) => Array.isArray(fields[name]) && fields[name].length > 0);
    if (from === undefined || !take(budget, 0)) return chosen;
    // Safe: `find` has checked that it is an array with at least one entry.
    fields = fieldsOf((fields[from] as unknown[])[0]);
  }
}

/** Returns whether a schema states its value, so that none of its choices is needed. */
function isDecided({ const: only, enum: words, default: standard, examples }: Fields): boolean {
  return (
    only !== undefined ||
    standard !== undefined ||
    [words, examples].some((list) => Array.isArray(list) && list.length > 0)
  );
}

function sampleArray(fields: Fields, words: string, depth: number, budget: Budget): Json {
  if (depth >= MAX_DEPTH) return [];
  const count = typeof fields.minItems === 'number' ? Math.max(1, fields.minItems) : 1;
  const items: Json[] = [];
  while (items.length < count && budget.nodes > 0 && budget.chars > 0)
    items.push(sampleValue(fields.items ?? { type: 'string' }, words, depth + 1, budget));
  return items;
}

function sampleObject(fields: Fields, words: string, depth: number, budget: Budget): Json {
  const sample: Record<string, Json> = {};
  if (depth >= MAX_DEPTH) return sample;
  const properties = fieldsOf(fields.properties);
  const required = Array.isArray(fields.required) ? fields.required : [];
  const add = (name: unknown) => {
    if (typeof name !== 'string' || name === '__proto__' || Object.hasOwn(sample, name)) return;
    budget.chars -= name.length;
    sample[name] = sampleValue(
      Object.hasOwn(properties, name) ? properties[name] : { type: 'string' },
      words,
      depth + 1,
      budget,
    );
  };
  for (const name of required) {
    if (budget.nodes <= 0 || budget.chars <= 0) return sample;
    add(name);
  }
  // At this depth only required properties are added.
  if (depth >= 2) return sample;
  for (const name in properties) {
    if (budget.nodes <= 0 || budget.chars <= 0) return sample;
    add(name);
  }
  return sample;
}

function sampleText(fields: Fields, words: string, budget: Budget): string {
  const byFormat: Readonly<Record<string, string>> = {
    'date-time': '2026-01-01T00:00:00Z',
    date: '2026-01-01',
    time: '00:00:00Z',
    email: 'someone@example.com',
    uri: 'https://example.com/',
    uuid: '00000000-0000-4000-8000-000000000000',
    ipv4: '192.0.2.1',
  };
  const format =
    typeof fields.format === 'string' && Object.hasOwn(byFormat, fields.format) ? byFormat[fields.format] : undefined;
  const text = format ?? (words === '' ? 'sample' : words);
  const least = typeof fields.minLength === 'number' ? Math.min(fields.minLength, MAX_TEXT_CHARS) : 0;
  const most = typeof fields.maxLength === 'number' ? fields.maxLength : 120;
  const sample = text.padEnd(least, '.').slice(0, Math.max(least, most));
  budget.chars -= sample.length;
  return sample;
}

/** 1 if the schema allows it, otherwise the allowed number that is nearest to it. */
function sampleNumber(fields: Fields, isWhole: boolean): number {
  const bound = (name: string, otherwise: number) => {
    const value = fields[name];
    return typeof value === 'number' ? value : otherwise;
  };
  const above = bound('exclusiveMinimum', -Infinity);
  const below = bound('exclusiveMaximum', Infinity);
  const step = isWhole ? 1 : Math.min(1, (below - above) / 2);
  const least = Math.max(bound('minimum', -Infinity), isWhole ? Math.floor(above) + 1 : above + step);
  const most = Math.min(bound('maximum', Infinity), isWhole ? Math.ceil(below) - 1 : below - step);
  const unit = bound('multipleOf', isWhole ? 1 : 0);
  const nearest = Math.max(least, Math.min(1, most));
  return unit > 0 ? Math.ceil(nearest / unit) * unit : nearest;
}

/** Copies a value that the schema states, as far as the budget allows. */
function literal(value: unknown, budget: Budget): Json {
  if (typeof value === 'string') {
    const text = value.slice(0, Math.max(0, budget.chars));
    budget.chars -= text.length;
    return text;
  }
  if (typeof value !== 'object' || value === null) {
    // Safe: a number, true, false or null of a schema that came as JSON.
    return value as Json;
  }
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      if (!take(budget, 1)) break;
      items.push(literal(item, budget));
    }
    return items;
  }
  const copy: Record<string, Json> = {};
  for (const name in value) {
    if (!take(budget, name.length + 1)) break;
    // Safe: a JSON object has string keys, and this is one of them.
    copy[name] = literal((value as Fields)[name], budget);
  }
  return copy;
}
