import { once } from 'node:events';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Clock } from '../../lib/domain/clock';
import { systemClock } from '../../lib/domain/clock';
import { userTurn } from './raw';
import { chatModel, compatibleModel, nativeModel, say, startWorld, type World } from './world';

// A stream whose provider is silent. The twelve seconds after which we send the 200 pass at once, and the ten seconds
// until the next ping never pass: what arrives is the start of the response itself.

const clock: Clock = {
  now: () => systemClock.now(),
  nowMs: () => systemClock.nowMs(),
  sleep: (ms, signal) => systemClock.sleep(ms, signal),
  after: (ms, run) => (ms === 10_000 ? () => {} : systemClock.after(ms > 11_000 && ms <= 12_000 ? 50 : ms, run)),
};

let world: World;
beforeAll(async () => void (world = await startWorld({ clock })));
afterAll(() => world.close());

it.each([
  [nativeModel, say('hang'), () => world.key],
  [compatibleModel, say('hang'), () => world.key],
  [chatModel, say('hang'), () => world.key],
  ['sandbox-text', 'Hello [[hang]]', () => world.server.firstRun.keys.test],
])('a stream of %s that begins late sends its status, its headers and a comment', async (model, text, key) => {
  const answer = await request(`${world.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key()}` },
    body: JSON.stringify(userTurn(model, text)),
  });
  answer.body.on('error', () => {});
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const [first] = (await once(answer.body, 'data')) as [Buffer];
  expect(first.toString()).toBe(': keepalive\n\n');
  answer.body.destroy();
});
