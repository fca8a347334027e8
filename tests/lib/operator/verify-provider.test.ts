import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Catalog } from '../../../lib/catalog/catalog';
import { allModels } from '../../../lib/catalog/models';
import { systemClock } from '../../../lib/domain/clock';
import type { ProviderDeps } from '../../../lib/domain/provider';
import { createVerifyProvider } from '../../../lib/operator/verify-provider';
import { anthropic } from '../../../lib/providers/anthropic/index';
import { recordLog } from '../../support/log';

// What the operator reads of a provider that did not accept or refuse its credentials.

async function verifyAt(baseUrl: string) {
  const log = recordLog();
  // Safe: the adapter uses nothing else, and neither does the verification of the catalog.
  const deps = { clock: systemClock, settings: { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: baseUrl } };
  const provider = anthropic.create(deps as unknown as ProviderDeps);
  onTestFinished(() => provider.close?.());
  const catalog = { list: () => allModels, available: () => true } as unknown as Catalog;
  const verify = createVerifyProvider({ definitions: [anthropic], catalog: () => catalog, clock: systemClock, log });
  const [result] = await verify(provider);
  return { message: result?.message, log: log.lines.at(-1) };
}

it('says that a provider could not be reached, and logs its host', async () => {
  const { message, log } = await verifyAt('http://127.0.0.1:1');
  expect(message).toBe('It could not be reached (ECONNREFUSED); the log has the address.');
  expect(log).toMatchObject({
    message: 'the credentials of a provider could not be verified',
    fields: {
      provider: 'anthropic',
      error: expect.stringContaining('(The connection to 127.0.0.1:1 failed: ECONNREFUSED.)') as string,
    },
  });
});

it('says that an answer was unexpected, and logs its status without its text', async () => {
  const server = createServer((_request, response) => response.writeHead(418).end('the text of the vendor'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  const { message, log } = await verifyAt(`http://127.0.0.1:${port}`);
  expect(message).toBe('It did not answer as expected; the log has the details.');
  expect(log?.fields?.error).toMatch(/418/);
  expect(log?.fields?.error).not.toContain('the text of the vendor');
});
