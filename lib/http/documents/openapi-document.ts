import type { JsonSchema } from './json-schema';

// The parts of an OpenAPI document that our own code reads.

export type Json = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Json;
  readonly servers: readonly Json[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** The webhooks, by event. */
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiWebhook }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes: Json;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  /** The responses, by status. Responses that several operations share are components. */
  readonly responses: Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>;
}

/** The request that we send to the receiver of a webhook. */
export type OpenApiWebhook = Pick<
  OpenApiOperation,
  'operationId' | 'tags' | 'summary' | 'description' | 'parameters' | 'requestBody'
>;

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, Json>>;
  readonly content?: OpenApiContent;
}

export type OpenApiContent = Readonly<
  Record<string, { readonly schema?: JsonSchema; readonly example?: unknown; readonly examples?: Json }>
>;

export const RESPONSES = '#/components/responses/';

/** Returns the response of an operation with this status and its place in the document; undefined if it has none. */
export function findResponse(
  { paths, components }: OpenApiDocument,
  { path, method, status }: { readonly path: string; readonly method: string; readonly status: number },
): { readonly response: OpenApiResponse; readonly at: readonly string[] } | undefined {
  const found = paths[path]?.[method]?.responses[status];
  if (!found) return undefined;
  if (!('$ref' in found)) return { response: found, at: ['paths', path, method, 'responses', String(status)] };
  const name = found.$ref.slice(RESPONSES.length);
  const response = components.responses[name];
  return response && { response, at: ['components', 'responses', name] };
}

/** `/v1/videos/:id` → `/v1/videos/{id}` */
export function openApiPath(pattern: string): string {
  return pattern.replace(/[:*](\w+)/g, '{$1}');
}
