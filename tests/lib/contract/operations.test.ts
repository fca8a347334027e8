import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  speechInputSchema,
  speechOutputSchema,
  transcriptionInputSchema,
  transcriptionOutputSchema,
} from '../../../lib/contract/audio';
import { operations } from '../../../lib/contract/operations';
import { routeTable } from '../../../lib/http/routes';

const named = operations.map((operation) => [`${operation.method} ${operation.pattern}`, operation] as const);

describe('the operations', () => {
  it('are each listed once', () => {
    const names = named.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('are the routes of the API', () => {
    const routes = routeTable.endpoints.flatMap(({ pattern, routes: methods }) =>
      Object.keys(methods).map((method) => `${method} ${pattern}`),
    );
    expect(routes.length).toBeGreaterThan(50);
    expect(named.map(([name]) => name).sort()).toEqual(routes.sort());
  });

  it('describe each parameter of their queries', () => {
    for (const [name, { query }] of named)
      for (const [param, schema] of Object.entries(query))
        expect([name, param, schema.description]).not.toContain(undefined);
  });

  it('have a summary that a list can show', () => {
    for (const [name, { summary }] of named)
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].{5,70}[^.]$/)]);
  });
});

describe('JSON Schema', () => {
  it.each(named)('%s: can be written for its bodies', (_name, { request, answers, error }) => {
    for (const schema of [...Object.values(answers).map(({ json }) => json), error])
      if (schema) expect(z.toJSONSchema(schema)).toMatchObject({ type: 'object' });
    if (request) expect(z.toJSONSchema(request.schema, { io: 'input' })).toMatchObject({ type: 'object' });
  });

  it('can be written for the messages of the sockets', () => {
    for (const schema of [transcriptionInputSchema, speechInputSchema])
      expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ oneOf: [{}, {}] });
    expect(z.toJSONSchema(transcriptionOutputSchema)).toMatchObject({ oneOf: [{}, {}, {}, {}] });
    expect(z.toJSONSchema(speechOutputSchema)).toMatchObject({ oneOf: [{}, {}, {}] });
  });

  it('does not require optional fields', () => {
    const create = operations.find(({ method, pattern }) => method === 'POST' && pattern === '/v1/videos');
    expect(z.toJSONSchema(create!.request!.schema, { io: 'input' })).toMatchObject({ required: ['model', 'prompt'] });
  });
});
