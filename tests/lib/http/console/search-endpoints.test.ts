import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FoundListJson } from '../../../../lib/contract/activity';
import { startServer, type TestServer } from '../../../support/server';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function find(text: string): Promise<FoundListJson['data']> {
  const response = await server.call(`/console/api/search?q=${encodeURIComponent(text)}`);
  expect(response.status).toBe(200);
  // Safe: the server's answers are checked against the contract.
  return ((await response.json()) as FoundListJson).data;
}

describe('GET /console/api/search', () => {
  test('finds sections of the documentation beside models and keys', async () => {
    const found = await find('idempotency');
    expect(found[0]).toEqual({
      object: 'search_result',
      kind: 'guide',
      id: 'api#idempotency',
      title: 'Idempotency',
      detail: 'API reference',
    });
    expect((await find('sandbox-t2v')).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['model', 'guide']));
  });

  test('finds nothing for a single letter', async () => {
    expect(await find('a')).toEqual([]);
  });
});
