import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
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
const isConsole = (name: string) => name.includes(' /console/');

describe('the operations', () => {
  it('are each listed once', () => {
    const names = named.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('are the routes of the API', () => {
    const routes = routeTable.endpoints.flatMap(({ pattern, routes: methods }) =>
      Object.keys(methods).map((method) => `${method} ${pattern}`),
    );
    expect(routes.length).toBeGreaterThan(20);
    expect(
      named
        .map(([name]) => name)
        .filter((name) => !isConsole(name))
        .sort(),
    ).toEqual(routes.sort());
  });

  it('have the paths of the management API', () => {
    const app = path.resolve(import.meta.dirname, '../../../app');
    const mounted = readdirSync(path.join(app, 'console/api'), { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'route.ts' && !file.startsWith('[...path]'))
      .flatMap((file) => {
        const text = readFileSync(path.join(app, 'console/api', file), 'utf8');
        return /consoleRoute\(\s*'([^']+)'/.exec(text)?.[1] ?? [];
      });
    expect(mounted.length).toBeGreaterThan(20);
    const patterns = operations.map(({ pattern }) => pattern).filter((pattern) => pattern.startsWith('/console/'));
    expect([...new Set(patterns)].sort()).toEqual(mounted.sort());
  });
});

describe('JSON Schema', () => {
  it.each(named)('%s: can be written for its bodies', (_name, { request, answers, error }) => {
    for (const schema of [...Object.values(answers).map(({ json }) => json), error])
      if (schema) expect(z.toJSONSchema(schema)).toMatchObject({ type: 'object' });
    if (request) expect(z.toJSONSchema(request, { io: 'input' })).toMatchObject({ type: 'object' });
  });

  it('can be written for the messages of the sockets', () => {
    for (const schema of [transcriptionInputSchema, speechInputSchema])
      expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ oneOf: [{}, {}] });
    expect(z.toJSONSchema(transcriptionOutputSchema)).toMatchObject({ oneOf: [{}, {}, {}, {}] });
    expect(z.toJSONSchema(speechOutputSchema)).toMatchObject({ oneOf: [{}, {}, {}] });
  });

  it('does not require what a client may leave out', () => {
    const create = operations.find(({ method, pattern }) => method === 'POST' && pattern === '/v1/videos');
    expect(z.toJSONSchema(create!.request!, { io: 'input' })).toMatchObject({ required: ['model', 'prompt'] });
  });
});
