import { z } from 'zod';
import type { ErrorCode } from '../../domain/error-rules';
import { errorSchema } from '../errors';
import type { JsonOf } from '../fields';
import type { RequestHeader, ResponseHeader } from '../headers';
import type { Tag } from '../tags';

// How an operation of the API is declared. GET /openapi.json is generated from the declarations, and tests compare
// every response with them.

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Operation {
  readonly method: Method;
  /** As in the route table: `:name` for one segment, `*name` for all remaining ones. */
  readonly pattern: string;
  /** A name for generated clients, such as `createVideo`. */
  readonly id: string;
  readonly tag: Tag;
  /** The purpose, in the imperative, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the query; all are optional. Each has a description. */
  readonly query: QueryParams;
  /** Request headers other than those of the authentication. */
  readonly headers: readonly RequestHeader[];
  readonly request?: RequestBody;
  /** The responses by status. Every other status has the body `error`. */
  readonly answers: Answers;
  /** The error codes of this operation, in addition to those of its access class, its body and its query. */
  readonly errors: readonly ErrorCode[];
  readonly error: z.ZodType;
}

export type QueryParams = Readonly<Record<string, z.ZodType>>;

/** The body of a request, in JSON. */
export interface RequestBody {
  readonly schema: z.ZodType;
  /** Valid bodies by a short name. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** May also be a `multipart/form-data` form. */
  readonly form?: true;
  /** The body may be left out. */
  readonly optional?: true;
}

export type Answers = Readonly<Record<number, Body>>;

/** The body of a response: JSON, another media type, either of them, or nothing at all. */
export interface Body {
  readonly description: string;
  readonly json?: z.ZodType;
  readonly example?: unknown;
  readonly mediaType?: string;
  /** Headers of this operation, in addition to those that every response may have. */
  readonly headers?: readonly ResponseHeader[];
}

/** The names of the parameters of a pattern. */
type ParamNames<Pattern extends string> = Pattern extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<`/${More}`>
    : Rest
  : Pattern extends `${string}/*${infer Name}`
    ? Name
    : never;

type Declaration<Pattern extends string> = Pick<Operation, 'tag' | 'summary' | 'description' | 'answers' | 'request'> &
  Partial<Pick<Operation, 'query' | 'headers' | 'errors' | 'error'>> &
  ([ParamNames<Pattern>] extends [never]
    ? { readonly params?: never }
    : { readonly params: Readonly<Record<ParamNames<Pattern>, string>> });

/** One operation; `route` is its method and its pattern. Every parameter of the pattern needs a description. */
export function operation<const Pattern extends string>(
  route: `${Method} ${Pattern}`,
  id: string,
  declaration: Declaration<Pattern>,
): Operation {
  const space = route.indexOf(' ');
  return {
    query: {},
    headers: route.includes(' /console/api/') && declaration.tag !== 'Sign in' ? ['patchbay-organization'] : [],
    errors: [],
    error: errorSchema,
    ...declaration,
    // Safe: the type of `route`.
    method: route.slice(0, space) as Method,
    pattern: route.slice(space + 1),
    id,
    params: declaration.params ?? {},
  };
}

/** Declares a JSON body of a request. */
export function requestBody<Schema extends z.ZodType>(
  schema: Schema,
  examples: Readonly<Record<string, z.input<Schema>>>,
  more: Pick<RequestBody, 'form' | 'optional'> = {},
): RequestBody {
  return { schema, examples, ...more };
}

/** Declares a JSON body of a response. */
export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  example: JsonOf<Schema>,
  more: Pick<Body, 'headers' | 'mediaType'> = {},
): Body {
  return { description, json: schema, example, ...more };
}

/** Declares a report in JSON, or as a table with `?format=csv`. */
export function report<Schema extends z.ZodType>(description: string, schema: Schema, example: JsonOf<Schema>): Body {
  return json(description, schema, example, { mediaType: 'text/csv', headers: ['content-disposition'] });
}

export const empty = (description: string): Answers => ({ 204: { description } });

/** The response to a request whose `If-None-Match` contains the current ETag. */
export const notModified = (headers: readonly ResponseHeader[]): Answers => ({
  304: { description: 'Not modified since the response with the ETag in `If-None-Match`.', headers },
});

// Parameters of the query that several operations have.

export const modeParam = {
  mode: z.enum(['live', 'test']).default('live').describe('The mode of the data.'),
};

/** The mode of a list that an id can narrow: the id belongs to one mode. */
export const modeOfNamedParam = {
  mode: z
    .enum(['live', 'test'])
    .describe('The mode of the data. By default that of the object whose id is given, otherwise `live`.'),
};

/** The parameters of a page: how many entries it has, and after which entry it starts. */
export function pageParams(standard: number): QueryParams {
  return {
    limit: z.int().min(1).max(100).default(standard).describe('The maximum number of entries on the page.'),
    after: z.string().describe('The id of the last entry of the previous page.'),
  };
}

const seconds = z.int().nonnegative();
export const timeRangeParams = {
  created_from: seconds.describe('Created at this time or later, in Unix seconds.'),
  created_to: seconds.describe('Created at this time or earlier, in Unix seconds.'),
};
export const createdParams = {
  created_within: z.int().min(1).describe('Created within this number of seconds before now.'),
  ...timeRangeParams,
};

/** The parameter that SDKs of the message-style API send. */
export const betaParam = {
  beta: z.string().describe('Has no effect. It is accepted because the beta methods of SDKs send it.'),
};

export const keyParam = { key: z.string().describe('The id of an API key, or `console`.') };

export const csvParam = {
  format: z.enum(['json', 'csv']).default('json').describe('`csv`: a table instead of JSON.'),
  organization: z
    .string()
    .describe('The same as the header `patchbay-organization`, for links, which cannot send headers.'),
};

/** The headers of a response about a model that is deprecated or has a date of retirement. */
export const retirementHeaders = ['deprecation', 'sunset'] as const satisfies readonly ResponseHeader[];

// Error codes that several operations have.

/** The model that a request names. */
export const modelErrors = [
  'model_not_found',
  'model_deactivated',
  'model_not_supported',
  'model_not_allowed',
  'provider_not_found',
  'provider_model_not_found',
  'provider_not_allowed',
  'price_not_allowed',
] as const satisfies readonly ErrorCode[];

export const creditErrors = [
  'insufficient_credits',
  'credits_held_by_running_jobs',
  'key_limit_exceeded',
  'project_limit_exceeded',
] as const satisfies readonly ErrorCode[];

/** A file that is read from a provider or from this installation. */
export const contentErrors = [
  'invalid_signature',
  'video_not_found',
  'video_not_ready',
  'video_failed',
  'video_expired',
  'video_on_other_machine',
  'upstream_content_unavailable',
  'upstream_auth_failed',
  'upstream_timeout',
  'upstream_invalid_response',
  'range_not_satisfiable',
] as const satisfies readonly ErrorCode[];

/** A cancellation asks the provider of the video, which may refuse or not answer. */
export const cancelErrors = [
  'video_not_found',
  'video_finished',
  'cancel_not_supported',
  'upstream_auth_failed',
  'upstream_timeout',
  'upstream_invalid_response',
] as const satisfies readonly ErrorCode[];
