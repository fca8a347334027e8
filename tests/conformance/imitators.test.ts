import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageEvent } from '../../lib/domain/messages';
import { chatScripts } from '../support/upstreams/fake-chat-upstream';
import { defects } from '../support/upstreams/fake-compatible-vendor';
import { findOrderError } from '../support/upstreams/stream-order';
import { clients, isReached } from './clients';
import { eventsOf, sendRaw, userTurn } from './raw';
import { chatModel, compatibleModel, say, startWorld, type World } from './world';

// Whatever a vendor that imitates the dialect does wrong, and whatever chat completions look like, official clients can
// read the answer, and all of them read the same.

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

const broken: readonly (readonly [string, string])[] = [
  [compatibleModel, 'error-event'],
  [compatibleModel, 'garbage'],
  [compatibleModel, 'no-message-delta'],
  [chatModel, 'gave-up'],
];
const cases = [
  ...Object.keys(defects).map((scenario) => ({ model: compatibleModel, scenario })),
  ...Object.keys(chatScripts).map((scenario) => ({ model: chatModel, scenario })),
];

describe.each(
  cases.filter(
    ({ scenario }) => !broken.some(([, name]) => name === scenario) && !/error|truncated|cut|garbage/.test(scenario),
  ),
)('$model, $scenario', ({ model, scenario }) => {
  it('is a stream in order, which all clients read the same', async () => {
    const raw = await sendRaw(world.baseUrl, world.key, userTurn(model, say(scenario)));
    expect(raw.status, raw.text).toBe(200);
    const events = eventsOf(raw.text);
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    expect(findOrderError(events.map(({ data }) => data as unknown as MessageEvent))).toBeUndefined();

    const results = await Promise.all(
      clients.map((client) => client.stream(world.baseUrl, world.key, { model, text: say(scenario) })),
    );
    const [first, second, ai] = results;
    if (!first || !second || !ai || !isReached(first) || !isReached(ai))
      throw new Error(`Not every client reached it: ${JSON.stringify(results)}`);
    expect(second).toEqual(first);
    expect(ai.text).toBe(first.text.replaceAll('|', ''));
    expect(ai.tools).toEqual(first.tools);
  });

  it('is the same without streaming', async () => {
    for (const client of clients) {
      const [whole, streamed] = await Promise.all([
        client.create(world.baseUrl, world.key, { model, text: say(scenario) }),
        client.stream(world.baseUrl, world.key, { model, text: say(scenario) }),
      ]);
      expect(whole, client.name).toEqual(streamed);
    }
  });
});

describe.each(broken)('%s, %s', (model, scenario) => {
  it('makes each client throw instead of accepting an incomplete answer', async () => {
    for (const client of clients) {
      for (const send of [client.stream, client.create])
        expect(isReached(await send(world.baseUrl, world.key, { model, text: say(scenario) })), client.name).toBe(
          false,
        );
    }
  });
});
