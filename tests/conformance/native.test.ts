import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageEvent } from '../../lib/domain/messages';
import { scripts } from '../support/upstreams/fake-messages-vendor';
import { findOrderError } from '../support/upstreams/stream-order';
import { clients, vendorClients, type Ask } from './clients';
import { eventsOf, sendRaw, userTurn } from './raw';
import { nativeModel, say, startWorld, type World } from './world';

// Through the gateway every client must get what it gets from the vendor itself.

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

const ask = (scenario: string): Ask => ({ model: nativeModel, text: say(scenario) });
const streamed = Object.keys(scripts).filter((name) => name !== 'json-body');

describe.each(clients.map((client) => [client.name, client] as const))('%s', (_name, client) => {
  it.each(streamed.filter((name) => name !== 'without-stop-event'))(
    'gets the same through the gateway as from the vendor: %s',
    async (scenario) => {
      const direct = await client.stream(world.native.baseUrl, world.native.apiKey, ask(scenario));
      expect(await client.stream(world.baseUrl, world.key, ask(scenario))).toEqual(direct);
    },
  );

  it.each(streamed.filter((name) => name !== 'without-stop-event'))(
    'gets without streaming what others get as a stream: %s',
    async (scenario) => {
      const direct = await client.create(world.native.baseUrl, world.native.apiKey, ask(scenario));
      expect(await client.create(world.baseUrl, world.key, ask(scenario))).toEqual(direct);
    },
  );

  it.each([
    'text pad',
    'tool pings',
    'thinking crlf',
    'parallel-tools chunking=byte',
    'tool chunking=seven pad pings',
    'web-search chunking=whole',
  ])("does not depend on the vendor's formatting: %s", async (scenario) => {
    const [name = ''] = scenario.split(' ');
    expect(await client.stream(world.baseUrl, world.key, ask(scenario))).toEqual(
      await client.stream(world.baseUrl, world.key, ask(name)),
    );
  });
});

describe('every stream of the vendor', () => {
  it.each(streamed)('leaves the gateway in the order of the dialect: %s', async (scenario) => {
    const { status, text } = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say(scenario)));
    expect(status).toBe(200);
    const events = eventsOf(text);
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    expect(findOrderError(events.map(({ data }) => data as unknown as MessageEvent))).toBeUndefined();
  });
});

describe.each(vendorClients.map((client) => [client.name, client] as const))('%s', (_name, client) => {
  it.each([
    ['rate-limit-seconds', 429, 'rate_limit_error'],
    ['overloaded', 529, 'overloaded_error'],
    ['server-error', 502, 'api_error'],
    ['unavailable', 502, 'api_error'],
    ['gateway-timeout', 504, 'timeout_error'],
    ['too-large', 413, 'request_too_large'],
    ['unauthorized', 502, 'api_error'],
    ['billing', 502, 'api_error'],
    ['billing-legacy', 502, 'api_error'],
    ['forbidden', 502, 'api_error'],
    ['spend-cap', 502, 'api_error'],
    ['unknown-model', 404, 'not_found_error'],
    ['too-long', 400, 'invalid_request_error'],
    ['reset', 502, 'api_error'],
    ['html-ok', 502, 'api_error'],
    ['text errorAt=0', 529, 'overloaded_error'],
    ['text errorAt=2', 529, 'overloaded_error'],
  ])('gets an early error before the first word: %s is %i %s', async (scenario, status, type) => {
    for (const send of [client.stream, client.create])
      expect(await send(world.baseUrl, world.key, ask(scenario)), scenario).toEqual({ error: { status, type } });
  });
});
