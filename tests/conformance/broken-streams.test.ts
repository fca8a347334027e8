import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scripts } from '../support/upstreams/fake-messages-vendor';
import { frame, messageStart } from '../support/upstreams/message-frames';
import { clients, isReached } from './clients';
import { eventsOf, sendRaw, userTurn } from './raw';
import { chatModel, compatibleModel, nativeModel, say, startWorld, type World } from './world';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

const raw = (model: string, scenario: string) => sendRaw(world.baseUrl, world.key, userTurn(model, say(scenario)));

describe('a stream that is cut', () => {
  it.each([
    [nativeModel, 'tool', 12],
    [nativeModel, 'thinking', 9],
    [compatibleModel, 'tool', 6],
    [chatModel, 'text-then-tool', 2],
  ])('at any event makes every client throw: %s, %s', async (model, scenario, events) => {
    for (let at = 1; at <= events; at += 1) {
      const { status, text } = await raw(model, `${scenario} drop=${at}`);
      if (status === 200) expect(eventsOf(text).at(-1), `drop at ${at}`).toMatchObject({ event: 'error', data: { type: 'error', error: { type: 'api_error' } } });
      else expect(status).toBe(502);
      expect(text).not.toContain('message_stop');
      for (const client of clients) expect(isReached(await client.stream(world.baseUrl, world.key, { model, text: say(`${scenario} drop=${at}`) })), `${client.name}, drop at ${at}`).toBe(false);
    }
  });

  it('behind the reason of its end is whole', async () => {
    const { text } = await raw(nativeModel, 'without-stop-event');
    expect(eventsOf(text).at(-1)?.event).toBe('message_stop');
  });
});

describe('a stream that arrives in pieces', () => {
  it('is the same wherever it is cut in two', async () => {
    const bytes = scripts.tool!(messageStart({ model: nativeModel })).reduce((sum, event) => sum + Buffer.byteLength(frame(event)), 0);
    const whole = (await raw(nativeModel, 'tool')).text;
    for (let from = 1; from < bytes; from += 8) {
      const cuts = Array.from({ length: Math.min(8, bytes - from) }, (_, index) => from + index);
      const texts = await Promise.all(cuts.map(async (cut) => (await raw(nativeModel, `tool cut=${cut}`)).text));
      for (const [index, text] of texts.entries()) expect(text, `cut at ${cuts[index]}`).toBe(whole);
    }
  }, 60_000);
});
