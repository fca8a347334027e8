import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../lib/domain/clock';
import { proofStep } from '../support/proof-runs';
import { clients, isReached } from './clients';
import { eventsOf, sendRaw, userTurn } from './raw';
import { wholeStreams, type StreamScenario } from './scenarios';
import { nativeModel, say, startWorld, type World } from './world';

// The upstream disconnects in the middle of a stream. Whatever event it stopped at, no client, streamed or not, may
// take an incomplete answer for a complete one. Once the stop reason is sent, nothing is missing. Every event is tested
// when `PROOF_RUNS` is 1, otherwise every sixth.

let world: World;
// Removes the pause before an upstream is called again: this file has a thousand retries.
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms === 200 ? 0 : ms, signal) };
beforeAll(async () => void (world = await startWorld({ clock })));
afterAll(() => world.close());

const raw = (model: string, text: string, more: Readonly<Record<string, unknown>> = {}) =>
  sendRaw(world.baseUrl, world.key, userTurn(model, text, more));

/** How many frames must arrive before the stop reason is known. */
function framesUntilReason({ frames }: StreamScenario): number {
  return frames.findIndex((frame) => /"(stop|finish)_reason":\s*"[a-z]/.test(frame)) + 1;
}

const cases = wholeStreams
  .map((stream) => ({ ...stream, needed: framesUntilReason(stream) }))
  .filter(({ needed }) => needed > 1);
/** Whether the connection breaks, or ends as if the answer were complete. */
const endings = ['', ' clean'];
const STEP = proofStep(6);

describe('a stream that is cut', () => {
  it.each(cases)(
    'before its stop reason makes every client throw: $model, $scenario',
    async ({ model, scenario, needed }) => {
      const drops = Array.from({ length: needed - 1 }, (_, index) => index + 1).filter(
        (_, index) => index % STEP === 0,
      );
      const points = drops.flatMap((drop) => endings.map((ending) => say(`${scenario} drop=${drop}${ending}`)));
      await Promise.all(
        points.map(async (text) => {
          const { status, text: answer } = await raw(model, text);
          if (status === 200)
            expect(eventsOf(answer).at(-1), text).toMatchObject({
              event: 'error',
              data: { type: 'error', error: { type: 'api_error' } },
            });
          else expect([status, JSON.parse(answer).error.type], text).toEqual([502, 'api_error']);
          expect(answer, text).not.toContain('message_stop');
          const results = await Promise.all(
            clients.map((client) => client.stream(world.baseUrl, world.key, { model, text })),
          );
          expect(results.map(isReached), text).toEqual([false, false, false]);
        }),
      );
      const whole = await raw(model, points.at(-1) ?? '', { stream: false, max_tokens: 4_096 });
      expect([whole.status, JSON.parse(whole.text).type]).toEqual([502, 'error']);
    },
  );

  it.each(cases)(
    'after its stop reason is complete: $model, $scenario',
    async ({ model, scenario, frames, needed }) => {
      for (let drop = needed; drop < frames.length; drop += STEP) {
        for (const ending of endings) {
          const { status, text } = await raw(model, say(`${scenario} drop=${drop}${ending}`));
          expect(status).toBe(200);
          expect(eventsOf(text).at(-1)?.event, `drop at ${drop}${ending}`).toBe('message_stop');
        }
      }
    },
  );

  it("is as complete as the vendor's own stream when only its last event is missing", async () => {
    const { text } = await raw(nativeModel, say('without-stop-event'));
    expect(eventsOf(text).at(-1)?.event).toBe('message_stop');
  });
});
