import { expect, it } from 'vitest';
import { newMessageId } from '../../../lib/messages/answer/message-id';
import { createThinkingSigner } from '../../../lib/providers/kit/messages/thinking-signature';
import { createSandboxMessages } from '../../../lib/providers/sandbox/messages';
import { createTestClock, whileTimePasses } from '../../support/clock';
import { recordLog } from '../../support/log';
import { makeMessagesBinding, makeMessagesRequest } from '../support/messages';

it('answers that begin together do not send their events in the same milliseconds', async () => {
  const clock = createTestClock();
  const { stream } = createSandboxMessages({ clock, thinkingSigner: createThinkingSigner('a key of the test') });
  const log = recordLog();

  const timesOf = async () => {
    const request = {
      ...makeMessagesRequest({ body: { stream: true } }),
      scenario: 'slow:60',
      messageId: newMessageId(),
    };
    const call = { signal: new AbortController().signal, log };
    const times: number[] = [];
    for await (const _chunk of stream(request, makeMessagesBinding({ providerId: 'sandbox' }), call))
      times.push(clock.nowMs());
    return times.map((at) => at - (times[0] ?? 0));
  };
  const all = await whileTimePasses(clock, Promise.all(Array.from({ length: 200 }, timesOf)));
  const count = all[0]?.length ?? 0;
  const pauseMs = 60_000 / count;
  expect(count).toBeGreaterThan(3);
  for (const times of all) {
    const second = times[1] ?? Number.NaN;
    expect(second).toBeGreaterThan(pauseMs / 2 - 1);
    expect(second).toBeLessThan(pauseMs * 1.5 + 1);
    for (const [index, at] of times.entries()) if (index > 1) expect(at).toBeCloseTo(second + (index - 1) * pauseMs, 3);
  }
  // A hundredth of the pauses has 2 of the 200.
  const piles = new Map<number, number>();
  for (const [, second = 0] of all) {
    const part = Math.floor((second / pauseMs) * 100);
    piles.set(part, (piles.get(part) ?? 0) + 1);
  }
  expect(Math.max(...piles.values())).toBeLessThan(20);
});
