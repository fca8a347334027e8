import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../../lib/contract/operations';
import { openConsoleApi, type ConsoleApi } from '../../../support/console-api';

// Every parameter in the query of every documented list and page of the management API.

let api: ConsoleApi;
beforeAll(async () => {
  api = await openConsoleApi();
});
afterAll(() => api.testGateway.close());

const parameters = operations.flatMap(({ method, pattern, query }) =>
  method === 'GET' && pattern.startsWith('/console/api/')
    ? Object.keys(query).map((name) => ({ route: pattern.replace('/console/api/', ''), name }))
    : [],
);

describe('a value that no page sends', () => {
  it.each(parameters)('is no failure of ours: $name of $route', async ({ route, name }) => {
    const path = route.replace(/:month/, '2026-01').replace(/:id/, 'x');
    for (const value of ['%00', 'a%00b', '%EF%BF%BF'.repeat(100), '9'.repeat(30)]) {
      const { status, text } = await api.ask(path, { query: `?${name}=${value}` });
      expect([200, 400, 404], `${value}: ${text}`).toContain(status);
    }
  });
});
