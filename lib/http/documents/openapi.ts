import type { z } from 'zod';
import { cookieName } from '../../accounts/sign-in-cookie';
import { requestHeaders, responseHeaders, type ResponseHeader } from '../../contract/headers';
import { operations } from '../../contract/operations';
import type { Body, Operation } from '../../contract/operations/operation';
import { schemaNames } from '../../contract/schema-names';
import { tags } from '../../contract/tags';
import { webhooks } from '../../contract/webhook-events';
import { errorRules, type ErrorCode } from '../../domain/error-rules';
import type { Endpoint, Route } from '../route-table';
import { errorCodesOf } from './error-codes';
import { componentsOf, jsonSchemaOf, refTo, type JsonSchema } from './json-schema';
import {
  openApiPath,
  type Json,
  type OpenApiContent,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
} from './openapi-document';
import { shareResponses } from './share-responses';

// GET /openapi.json: OpenAPI 3.1 from the declared operations and the route table.

/** Returns the document of an installation. Throws if a route has no operation. */
export function createOpenApi(
  endpoints: readonly Endpoint[],
  { baseUrl, version }: { readonly baseUrl: string; readonly version: string },
): OpenApiDocument {
  const names = nameSchemas();
  const { inputs, outputs } = names;
  const { paths, responses } = shareResponses(pathsOf(endpoints, names));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Patchbay',
      version,
      summary: 'One API for media and models, many providers.',
      description: `Guides: ${baseUrl}/docs. The messages of the sockets: ${baseUrl}/asyncapi.json.\n\nA later version may add operations, fields of responses, values of enumerations and error codes. Ignore what you do not know.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This installation.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(names),
    components: {
      schemas: { ...componentsOf(inputs, 'input'), ...componentsOf(outputs, 'output') },
      headers: Object.fromEntries(
        Object.entries(responseHeaders).map(([name, { description, schema, example }]) => [
          name,
          { description, ...(alwaysSent.includes(name) && { required: true }), schema: jsonSchemaOf(schema), example },
        ]),
      ),
      responses,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `pb_live_…` or `pb_test_…`.' },
        xApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key, as SDKs of the message-style API send it.',
        },
        manageKey: { type: 'http', scheme: 'bearer', description: 'A live API key with the scope `manage`.' },
        signIn: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(baseUrl, 'sign-in'),
          description: 'The sign-in of a person in the console.',
        },
        operatorToken: { type: 'http', scheme: 'bearer', description: '`OPERATOR_TOKEN` of the installation.' },
      },
    },
  };
}

/** The names of all schemas of requests (`inputs`) and responses (`outputs`). */
interface Names {
  readonly inputs: ReadonlyMap<z.ZodType, string>;
  readonly outputs: ReadonlyMap<z.ZodType, string>;
}

function nameSchemas(): Names {
  const inputs = new Map<z.ZodType, string>();
  const outputs = new Map(schemaNames);
  for (const { id, request, answers } of operations) {
    if (request && !inputs.has(request.schema)) inputs.set(request.schema, requestName(request.schema, id));
    for (const { json } of Object.values(answers))
      if (json && !outputs.has(json)) outputs.set(json, `${capitalized(id)}Response`);
  }
  // A schema that is also the body of a request has another name as a response: `Stored…`.
  for (const schema of inputs.keys())
    if (outputs.has(schema)) outputs.set(schema, `Stored${outputs.get(schema) ?? ''}`);
  return { inputs, outputs };
}

function requestName(schema: z.ZodType, id: string): string {
  return schemaNames.get(schema) ?? `${capitalized(id)}Request`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function pathsOf(endpoints: readonly Endpoint[], names: Names): OpenApiDocument['paths'] {
  const declared = new Map(operations.map((each) => [`${each.method} ${each.pattern}`, each]));
  return Object.fromEntries(
    endpoints.map(({ pattern, routes }) => [
      openApiPath(pattern),
      Object.fromEntries(
        Object.values(routes).map((route) => {
          const found = declared.get(`${route.method} ${pattern}`);
          if (!found) throw new Error(`${route.method} ${pattern} is not declared in lib/contract/operations.`);
          return [route.method.toLowerCase(), operationOf(found, route, names)];
        }),
      ),
    ]),
  );
}

function operationOf(operation: Operation, route: Route, names: Names): OpenApiOperation {
  const { id, tag, summary, description, request } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(request && { requestBody: requestBodyOf(request, names) }),
    responses: responsesOf(operation, route, names),
  };
}

function parametersOf({ params, query, headers }: Operation): OpenApiParameter[] {
  return [
    ...Object.entries(params).map(([name, description]) => ({
      name,
      in: 'path' as const,
      required: true,
      description,
      schema: { type: 'string' },
    })),
    ...Object.entries(query).map(([name, schema]) => {
      const { description = '', ...rest } = jsonSchemaOf(schema);
      return { name, in: 'query' as const, required: false, description: String(description), schema: rest };
    }),
    ...headers.map((name) => {
      const { description, schema } = requestHeaders[name];
      return { name, in: 'header' as const, required: false, description, schema: jsonSchemaOf(schema) };
    }),
  ];
}

function requestBodyOf({ schema, examples, form, optional }: NonNullable<Operation['request']>, { inputs }: Names) {
  const json = {
    schema: refTo(inputs.get(schema) ?? ''),
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  };
  return {
    required: optional !== true,
    content: {
      'application/json': json,
      ...(form && { 'multipart/form-data': { schema: { $ref: json.schema['$ref'] } } }),
    },
  };
}

function securityOf({ access, pattern }: Route): readonly Json[] {
  const key: readonly Json[] = /^\/v1\/(?:messages|models)/.test(pattern)
    ? [{ apiKey: [] }, { xApiKey: [] }]
    : [{ apiKey: [] }];
  switch (access) {
    case 'key':
      return key;
    case 'optional-key':
      return [{}, ...key];
    case 'key-or-signature':
      return [...key, {}];
    case 'operator':
      return [{ operatorToken: [] }];
    case 'member':
    case 'editor':
      return [{ manageKey: [] }, { signIn: [] }];
    case 'person':
    case 'installation':
      return [{ signIn: [] }];
    case 'public':
    case 'stranger':
      // The sockets read the key themselves, also from the query.
      return pattern.endsWith('/ws') ? [{ apiKey: [] }, {}] : [];
  }
}

const always = ['x-request-id', 'request-id'] as const;
/** Headers that are present in every response that documents them. */
const alwaysSent: readonly string[] = [...always, 'x-should-retry'];
const limitHeaders = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
] as const;

/** Returns whether requests of this route count towards rate limits. */
function isLimited({ access }: Route): boolean {
  return access !== 'public' && access !== 'stranger' && access !== 'operator';
}

function responsesOf(operation: Operation, route: Route, names: Names): Readonly<Record<string, OpenApiResponse>> {
  const common: readonly ResponseHeader[] = isLimited(route) ? [...always, ...limitHeaders] : always;
  const responses: Record<string, OpenApiResponse> = {};
  for (const [status, body] of Object.entries(operation.answers)) responses[status] = answerOf(body, common, names);
  for (const [status, codes] of errorCodesOf(operation, route)) {
    const error = errorOf(status, codes, operation, common, names);
    const answer = responses[status];
    responses[status] = answer ? eitherOf(answer, error) : error;
  }
  return responses;
}

function answerOf(
  { description, json, example, mediaType, headers = [] }: Body,
  common: readonly ResponseHeader[],
  { outputs }: Names,
): OpenApiResponse {
  const content: OpenApiContent = {
    ...(json && {
      'application/json': { schema: refTo(outputs.get(json) ?? ''), ...(example === undefined ? {} : { example }) },
    }),
    ...(mediaType !== undefined &&
      Object.fromEntries(mediaType.split(', ').map((type) => [type, { schema: schemaOfType(type) }]))),
  };
  return {
    description,
    headers: headersOf([...common, ...headers]),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** Returns the schema of a body that is not JSON: a text is a string, and a file has no schema in OpenAPI 3.1. */
function schemaOfType(type: string): JsonSchema {
  return type.startsWith('text/') ? { type: 'string' } : {};
}

const errorHeaders: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['www-authenticate'],
  416: ['content-range', 'accept-ranges', 'etag'],
  426: ['upgrade'],
};
const retryHeaders = ['x-should-retry', 'retry-after', 'retry-after-ms'] as const;

function errorOf(
  status: number,
  codes: readonly ErrorCode[],
  { error }: Operation,
  common: readonly ResponseHeader[],
  { outputs }: Names,
): OpenApiResponse {
  const more: readonly ResponseHeader[] = errorHeaders[status] ?? [];
  const name = outputs.get(error) ?? '';
  return {
    description: `${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headersOf([...common, ...retryHeaders, ...more]),
    content: { 'application/json': { schema: errorSchemaOf(name, codes) } },
  };
}

/** Returns the schema of an error with its possible codes; errors of the message-style API have types only. */
function errorSchemaOf(name: string, codes: readonly ErrorCode[]): JsonSchema {
  if (name !== 'Error') return refTo(name);
  const types = [...new Set(codes.map((code) => errorRules[code].type))];
  return {
    allOf: [refTo(name), { properties: { error: { properties: { code: { enum: codes }, type: { enum: types } } } } }],
  };
}

/** Combines the responses of a status that can be both a success and an error. */
function eitherOf(answer: OpenApiResponse, error: OpenApiResponse): OpenApiResponse {
  const [one, other] = [answer, error].map(({ content }) => content?.['application/json']?.schema);
  const schema = one && other ? { anyOf: [one, other] } : (one ?? other);
  return {
    description: `${answer.description} Or ${error.description}`,
    headers: { ...error.headers, ...answer.headers },
    content: { ...answer.content, ...error.content, 'application/json': { ...(schema && { schema }) } },
  };
}

function headersOf(names: readonly ResponseHeader[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function webhooksOf({ outputs }: Names): OpenApiDocument['webhooks'] {
  return Object.fromEntries(
    webhooks.map(({ event, summary, description, headers, body, example }) => [
      event,
      {
        post: {
          operationId: `on${event.split('.').map(capitalized).join('')}`,
          tags: ['Webhooks'],
          summary,
          description,
          security: [],
          parameters: Object.entries(headers).map(([name, header]) => ({
            name,
            in: 'header' as const,
            required: true,
            description: header.description,
            schema: jsonSchemaOf(header.schema),
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: refTo(outputs.get(body) ?? ''), example } },
          },
          responses: {
            '2XX': { description: 'Received. Any other status is tried again.' },
            '410': { description: 'The receiver wants no more: the attempts end, and an endpoint is paused.' },
          },
        },
      },
    ]),
  );
}
