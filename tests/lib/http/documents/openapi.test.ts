import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../../lib/contract/operations';
import { errorRules } from '../../../../lib/domain/error-rules';
import { errorCodesOf } from '../../../../lib/http/documents/error-codes';
import { createOpenApi } from '../../../../lib/http/documents/openapi';
import { findResponse, openApiPath } from '../../../../lib/http/documents/openapi-document';
import { corsHeaders, isCrossOrigin } from '../../../../lib/http/response-headers';
import { createRouteTable, type Route } from '../../../../lib/http/route-table';
import { routeTable } from '../../../../lib/http/routes';
import { startEdge, type RunningEdge } from '../../../support/edge';
import { lintDocument } from '../../../support/lint-document';

const baseUrl = 'https://patchbay.test';
const document = createOpenApi(routeTable.endpoints, { baseUrl, version: '1.2.3' });
const routes = routeTable.endpoints.flatMap(({ routes: methods }) => Object.values(methods));
const declared = operations.map((operation) => {
  const route = routes.find(({ method, pattern }) => method === operation.method && pattern === operation.pattern);
  if (!route) throw new Error(`${operation.method} ${operation.pattern} is no route.`);
  return [`${operation.method} ${operation.pattern}`, operation, route] as const;
});

describe('the OpenAPI document', () => {
  it('has no mistake that a linter finds', async () => {
    // A socket answers with 101, and the document of a development server names localhost.
    expect(await lintDocument(document, { 'operation-2xx-response': 'off' })).toEqual([]);
  });

  it('describes every route, with the URL and the version of the installation', () => {
    const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(paths.toSorted()).toEqual(
      routes.map(({ method, pattern }) => `${method} ${openApiPath(pattern)}`).toSorted(),
    );
    expect(document).toMatchObject({ servers: [{ url: baseUrl }], info: { version: '1.2.3' } });
  });

  it('cannot be written without the description of a route', () => {
    const route: Route = {
      method: 'GET',
      pattern: '/v1/new',
      access: 'public',
      handler: () => ({ status: 204, headers: {} }),
    };
    const { endpoints } = createRouteTable([route]);
    expect(() => createOpenApi(endpoints, { baseUrl, version: '0' })).toThrow('GET /v1/new is not declared');
  });

  it('requires a key where the route does', () => {
    const security = (path: string, method = 'get') => document.paths[path]?.[method]?.security;
    expect(security('/v1/credits')).toEqual([{ apiKey: [] }]);
    expect(security('/v1/messages', 'post')).toEqual([{ apiKey: [] }, { xApiKey: [] }]);
    expect(security('/v1/models')).toEqual([{}, { apiKey: [] }, { xApiKey: [] }]);
    expect(security('/internal/operator/limits')).toEqual([{ operatorToken: [] }]);
    expect(security('/console/api/keys')).toEqual([{ manageKey: [] }, { signIn: [] }]);
    expect(security('/livez')).toEqual([]);
  });

  it('takes a video as JSON and as a form', () => {
    const content = document.paths['/v1/videos']?.['post']?.requestBody?.content ?? {};
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data']);
    expect(document.components.schemas['VideoRequest']).toMatchObject({
      required: ['model', 'prompt'],
      properties: { prompt: { type: 'string', maxLength: 32_000 } },
    });
  });

  it('describes the errors of an operation with their codes', () => {
    const found = findResponse(document, { path: '/v1/videos', method: 'post', status: 402 });
    expect(found?.response.description).toBe(
      '`insufficient_credits`, `credits_held_by_running_jobs`, `key_limit_exceeded`, `project_limit_exceeded`.',
    );
    expect(found?.response.content?.['application/json']?.schema).toEqual({
      allOf: [
        { $ref: '#/components/schemas/Error' },
        {
          properties: {
            error: {
              properties: {
                code: {
                  enum: [
                    'insufficient_credits',
                    'credits_held_by_running_jobs',
                    'key_limit_exceeded',
                    'project_limit_exceeded',
                  ],
                },
                type: { enum: ['insufficient_credits'] },
              },
            },
          },
        },
      ],
    });
  });

  it('has the webhooks with their headers', () => {
    expect(Object.keys(document.webhooks)).toEqual(['video.completed', 'video.failed']);
    expect(document.webhooks['video.completed']).toMatchObject({
      post: { parameters: expect.arrayContaining([expect.objectContaining({ name: 'webhook-signature' })]) },
    });
  });

  it('documents no header that a page of another origin cannot read', () => {
    const exposed = (corsHeaders['access-control-expose-headers'] ?? '').toLowerCase().split(', ');
    const unread = Object.entries(document.paths)
      .filter(([path]) => isCrossOrigin(path))
      .flatMap(([, methods]) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => ('$ref' in response ? [] : Object.keys(response.headers)))
      // Read by the browser itself, or by proxies.
      .filter((name) => !['www-authenticate', 'upgrade', 'location', 'x-accel-buffering'].includes(name))
      .filter((name) => !exposed.includes(name));
    expect([...new Set(unread)]).toEqual([]);
  });

  it('has every error code that a route can answer with', () => {
    const used = new Set(
      declared.flatMap(([, operation, route]) => [...errorCodesOf(operation, route).values()].flat()),
    );
    const unused = Object.keys(errorRules).filter((code) => !used.has(code as keyof typeof errorRules));
    // A wrong method has no operation. The other one is kept for clients: nothing answers with it.
    expect(unused).toEqual(['method_not_allowed', 'idempotency_in_progress']);
  });
});

describe('the examples', () => {
  it.each(declared)('of %s are valid', (_name, { request, answers }) => {
    for (const example of Object.values(request?.examples ?? {}))
      expect(request?.schema.safeParse(example).error).toBeUndefined();
    for (const { json, example } of Object.values(answers)) {
      if (!json) continue;
      expect(example).toBeDefined();
      expect(json.safeParse(example).error).toBeUndefined();
    }
  });
});

describe('GET /openapi.json', () => {
  let edge: RunningEdge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(() => edge.close());

  it('is the document of the installation, for any origin and without a key', async () => {
    const response = await edge.fetch('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: edge.gateway.baseUrl }] });
  });

  it('is not sent again to a client that has it', async () => {
    const etag = (await edge.fetch('/openapi.json')).headers.get('etag') ?? '';
    const response = await edge.fetch('/openapi.json', { headers: { 'if-none-match': etag } });
    expect([response.status, await response.text()]).toEqual([304, '']);
  });
});
