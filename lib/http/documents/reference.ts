import { pageOf, type DocsPage } from '../../docs/page';
import type { JsonSchema } from './json-schema';
import {
  findResponse,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  type OpenApiWebhook,
} from './openapi-document';

// The reference as Markdown pages, one for each tag, from the OpenAPI document.

interface Named {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

export const REFERENCE_GROUP = 'Reference';
const SCHEMAS = '#/components/schemas/';
/** The maximum depth of listed fields; a deeper object is listed without its fields. */
const MAX_DEPTH = 4;

/** Returns the pages, in the order of the tags. */
export function referencePages(document: OpenApiDocument): readonly DocsPage[] {
  const all: readonly Named[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return document.tags.map(({ name, description }) => {
    const own = all.filter(({ operation }) => operation.tags.includes(name));
    const events = Object.entries(document.webhooks).filter(([, { post }]) => post.tags.includes(name));
    const objects = objectsOf(
      document,
      own,
      events.map(([, { post }]) => post.requestBody),
    );
    const parts = [
      `# ${name}: reference`,
      description,
      ...own.map((named) => operationPart(document, named)),
      ...(events.length > 0 ? ['## Events', ...events.map(([event, { post }]) => eventPart(event, post))] : []),
      ...(objects.length > 0 ? ['## Objects', ...objects.map((each) => objectPart(document, each))] : []),
    ];
    return pageOf(`reference/${slugOf(name)}`, REFERENCE_GROUP, `${parts.join('\n\n')}\n`);
  });
}

const slugOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

function operationPart(document: OpenApiDocument, named: Named): string {
  const { path, method, operation } = named;
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const answers = Object.keys(responses).map((status) => ({
    status: Number(status),
    response: responseOf(document, named, Number(status)),
  }));
  const example = answers.find(({ status }) => status < 300)?.response.content?.['application/json']?.example;
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    ...(description === undefined ? [] : [description]),
    authentication(operation),
    ...(parameters.length > 0 ? [parameterTable(parameters)] : []),
    ...(body?.schema ? [bodyPart(requestBody?.required ?? true, body.schema, requestBody?.content ?? {})] : []),
    fence('sh', curlOf(named)),
    answerTable(answers),
    ...(example === undefined ? [] : [fence('json', JSON.stringify(example, null, 2))]),
  ].join('\n\n');
}

/** Returns the section for an event: the request that we send to the receiver of a webhook. */
function eventPart(event: string, { description = '', parameters = [], requestBody }: OpenApiWebhook): string {
  const body = requestBody?.content['application/json']?.schema ?? {};
  return [
    `### ${event}`,
    description,
    parameterTable(parameters),
    `Body: ${typeOf(body)}. Respond with any 2xx status within 10 seconds; see [Webhooks](../webhooks.md).`,
  ].join('\n\n');
}

/** Returns the response of an operation with this status, resolving `$ref`. Throws if the operation has none. */
function responseOf(document: OpenApiDocument, { path, method }: Named, status: number): OpenApiResponse {
  const found = findResponse(document, { path, method, status });
  if (!found) throw new Error(`${method} ${path} has no response ${status}.`);
  return found.response;
}

function authentication({ security }: OpenApiOperation): string {
  const schemes = security.flatMap((each) => Object.keys(each));
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  const sent = ways.filter(([scheme]) => schemes.includes(scheme)).map(([, text]) => text);
  if (sent.length === 0) return 'No authentication.';
  return `Authentication${isOptional ? ' (optional)' : ''}: ${sent.join(', or ')}.`;
}

const ways = [
  ['apiKey', '`Authorization: Bearer <API_KEY>`'],
  ['xApiKey', '`x-api-key: <API_KEY>`'],
  ['manageKey', 'a live key with the scope `manage`'],
  ['signIn', 'a signed-in person'],
  ['operatorToken', "the operator's token as `Authorization: Bearer <OPERATOR_TOKEN>`"],
] as const;

function parameterTable(parameters: readonly OpenApiParameter[]): string {
  return table(
    ['parameter', 'in', 'type', 'description'],
    parameters.map(({ name, in: place, schema, description }) => [
      `\`${name}\``,
      place,
      typeOf(schema),
      withDefault(description, schema),
    ]),
  );
}

function bodyPart(required: boolean, schema: JsonSchema, content: Readonly<Record<string, unknown>>): string {
  const form = 'multipart/form-data' in content ? ' or as a form' : '';
  return `Body${required ? '' : ' (optional)'}: ${typeOf(schema)} in JSON${form}.`;
}

function answerTable(answers: readonly { readonly status: number; readonly response: OpenApiResponse }[]): string {
  return table(
    ['status', 'body', 'meaning'],
    answers.map(({ status, response: { description, content = {} } }) => [
      String(status),
      bodyType(content, status),
      description,
    ]),
  );
}

function bodyType(content: NonNullable<OpenApiResponse['content']>, status: number): string {
  const types = Object.entries(content).map(([type, { schema }]) => {
    if (type !== 'application/json') return `\`${type}\``;
    // The errors have a page of their own.
    return status >= 400 ? '[error](../errors.md)' : typeOf(schema ?? {});
  });
  return types.length === 0 ? 'none' : types.join(' or ');
}

/** Returns a curl command that sends the first example. */
function curlOf({ path, method, operation }: Named): string {
  const { security, requestBody } = operation;
  const examples = requestBody?.content['application/json']?.examples;
  // Safe: examples are written by `requestBodyOf`.
  const [first] = Object.values((examples ?? {}) as Readonly<Record<string, { readonly value: unknown }>>);
  const key = security.some((each) => 'manageKey' in each)
    ? '$PATCHBAY_LIVE_KEY'
    : security.some((each) => 'operatorToken' in each)
      ? '$OPERATOR_TOKEN'
      : '$PATCHBAY_API_KEY';
  const isPublic = security.length === 0;
  return [
    `curl -s${method === 'get' || (method === 'post' && first) ? '' : ` -X ${method.toUpperCase()}`} "$PATCHBAY${path}"`,
    ...(isPublic ? [] : [`  -H "Authorization: Bearer ${key}"`]),
    ...(first
      ? ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(first.value).replaceAll("'", "'\\''")}'`]
      : []),
  ].join(' \\\n');
}

/** Returns the names of the objects that these operations send and receive, in the order in which they appear. */
function objectsOf(document: OpenApiDocument, named: readonly Named[], bodies: readonly unknown[]): readonly string[] {
  const names = new Set<string>();
  const collect = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      const name =
        key === '$ref' && typeof each === 'string' && each.startsWith(SCHEMAS) ? each.slice(SCHEMAS.length) : '';
      if (name === '') collect(each);
      else if (!names.has(name)) {
        names.add(name);
        collect(document.components.schemas[name]);
      }
    }
  };
  for (const each of named) {
    collect(each.operation.requestBody?.content['application/json']?.schema);
    for (const status of Object.keys(each.operation.responses).map(Number))
      if (status < 400) collect(responseOf(document, each, status).content);
  }
  for (const body of bodies) collect(body);
  return [...names];
}

function objectPart(document: OpenApiDocument, name: string): string {
  const schema = document.components.schemas[name] ?? {};
  const rows = fieldRows(schema, '', 0);
  const { description } = schema;
  return [
    `### ${name}`,
    ...(typeof description === 'string' ? [description] : []),
    rows.length > 0 ? table(['field', 'type', 'description'], rows) : `${typeOf(schema)}.`,
  ].join('\n\n');
}

/** Returns a row for each field, including fields of nested objects. An optional field has a question mark. */
function fieldRows(schema: JsonSchema, prefix: string, depth: number): string[][] {
  const rows = new Map<string, string[]>();
  for (const object of objectsWithin(schema)) {
    const required = asList(object['required']);
    for (const [name, field] of Object.entries(asObject(object['properties']))) {
      const full = `${prefix}${name}`;
      const each = asObject(field);
      const optional = required.includes(name) ? '' : '?';
      if (!rows.has(full))
        rows.set(full, [`\`${full}\`${optional}`, typeOf(each), withDefault(String(each['description'] ?? ''), each)]);
      if (depth < MAX_DEPTH)
        for (const inner of fieldRows(each, `${full}${isList(each) ? '[]' : ''}.`, depth + 1))
          if (!rows.has(inner[0] ?? '')) rows.set(inner[0] ?? '', inner);
    }
  }
  return [...rows.values()];
}

/** Returns the objects of a value: itself, its items, or its alternatives. References have sections of their own. */
function objectsWithin(schema: JsonSchema): readonly JsonSchema[] {
  if ('$ref' in schema) return [];
  if ('properties' in schema) return [schema];
  if ('items' in schema) return objectsWithin(asObject(schema['items']));
  return variantsOf(schema).flatMap(objectsWithin);
}

const variantsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  [...asArray(schema['anyOf']), ...asArray(schema['oneOf']), ...asArray(schema['allOf'])].map(asObject);

const isList = (schema: JsonSchema): boolean => schema['type'] === 'array' || variantsOf(schema).some(isList);

/** Returns the type in words, with links to named objects. */
function typeOf(schema: JsonSchema): string {
  const { $ref: reference, type, const: constant, enum: values } = schema;
  if (typeof reference === 'string') {
    const name = reference.slice(SCHEMAS.length);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (Array.isArray(values)) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(typeOf))].join(' or ');
  if (type === 'array') return `array of ${typeOf(asObject(schema['items']))}`;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any value';
}

function withDefault(description: string, schema: JsonSchema): string {
  const standard = schema['default'];
  return standard === undefined ? description : `${description} Default: \`${JSON.stringify(standard)}\`.`.trim();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

function asObject(value: unknown): JsonSchema {
  // Safe: JSON Schema has an object here.
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asList = (value: unknown): readonly string[] => asArray(value).map(String);
