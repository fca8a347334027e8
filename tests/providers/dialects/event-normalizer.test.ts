import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import type { MessageEvent } from '../../../lib/domain/messages';
import { createEventNormalizer } from '../../../lib/providers/dialects/messages/event-normalizer';
import { proofRuns } from '../../support/proof-runs';
import { collected, scripts } from '../../support/upstreams/fake-messages-vendor';
import { messageStart, type WireEvent } from '../../support/upstreams/message-frames';
import { findOrderError } from '../../support/upstreams/stream-order';

interface Outcome {
  readonly events: readonly MessageEvent[];
  readonly error: unknown;
}

function run(events: readonly unknown[], native: boolean): Outcome {
  const normalizer = createEventNormalizer({ native, messageId: 'msg_1', modelName: 'm', estimatedInputTokens: 9 });
  try {
    for (const event of events) normalizer.push(event);
    normalizer.end();
  } catch (error) {
    return { events: normalizer.take(), error };
  }
  return { events: normalizer.take(), error: undefined };
}

const canonical = Object.entries(scripts).filter(([name]) => !['two-deltas', 'without-stop-event'].includes(name));
const wellFormed = fc.constantFrom(...canonical.map(([, script]) => script(messageStart())));

/** One kind of damage to a stream. */
type Damage = (events: readonly WireEvent[], at: number) => WireEvent[];
const damages: Readonly<Record<string, Damage>> = {
  lost: (events, at) => events.filter((_, index) => index !== at),
  twice: (events, at) => events.flatMap((event, index) => (index === at ? [event, event] : [event])),
  swapped: (events, at) => {
    const [one, two] = [events[at], events[at + 1]];
    return one && two ? [...events.slice(0, at), two, one, ...events.slice(at + 2)] : [...events];
  },
  renumbered: (events, at) =>
    events.map((event, index) => (index === at && 'index' in event ? { ...event, index: 4 } : event)),
  unnumbered: (events, at) => events.map((event, index) => (index === at ? { ...event, index: undefined } : event)),
  emptied: (events, at) => events.map((event, index) => (index === at ? { type: event.type } : event)),
  garbled: (events, at) =>
    events.map((event, index) =>
      index === at ? ({ type: 7, delta: 'x', usage: null } as unknown as WireEvent) : event,
    ),
};

const DAMAGED_STREAMS = proofRuns(5_000);

describe('the normalizer', () => {
  it.each(canonical)('leaves a stream in order as it is: %s', (_name, script) => {
    const events = script(messageStart());
    expect(run(events, true)).toEqual({ events, error: undefined });
  });

  it('whatever is damaged, the output is in order, or it ends with an error of ours', () => {
    const damaged = fc.record({
      events: wellFormed,
      damage: fc.array(fc.tuple(fc.constantFrom(...Object.keys(damages)), fc.nat(20)), { maxLength: 4 }),
      native: fc.boolean(),
    });
    let mended = 0;
    let refused = 0;
    fc.assert(
      fc.property(damaged, ({ events, damage, native }) => {
        const broken = damage.reduce<readonly WireEvent[]>((left, [name, at]) => damages[name]!(left, at), events);
        const outcome = run(broken, native);
        expect(findOrderError(outcome.events, { mayBreakOff: outcome.error !== undefined })).toBeUndefined();
        if (outcome.error === undefined) mended++;
        else {
          refused++;
          expect(isGatewayError(outcome.error)).toBe(true);
        }
      }),
      { numRuns: DAMAGED_STREAMS },
    );
    // Both outcomes occur often enough to be tested.
    expect(mended).toBeGreaterThan(DAMAGED_STREAMS / 10);
    expect(refused).toBeGreaterThan(DAMAGED_STREAMS / 100);
  });

  it('a stream that breaks off anywhere is never completed artificially', () => {
    for (const [name, script] of canonical) {
      const events = script(messageStart());
      const stop = events.findIndex(({ type }) => type === 'message_delta');
      // A prefilled message is complete without its last event.
      if (name === 'prepopulated') continue;
      for (let kept = 0; kept <= stop; kept++) {
        const { error, events: left } = run(events.slice(0, kept), true);
        expect(error, `${name} after ${kept}`).toMatchObject({ code: 'upstream_invalid_response' });
        expect(left.some(({ type }) => type === 'message_stop')).toBe(false);
      }
    }
  });

  it('keeps the input that the start reports if the end reports none', () => {
    const counted = { input_tokens: 100, cache_read_input_tokens: 5_000, cache_creation_input_tokens: 30 };
    const none = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    for (const native of [true, false]) {
      const { events } = run(
        [
          messageStart({ usage: { ...counted, output_tokens: 1 } }),
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello' } },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { ...none, output_tokens: 7 } },
        ],
        native,
      );
      expect(collected(events)).toMatchObject({ usage: { ...counted, output_tokens: 7 } });
    }
  });

  it('any interleaving of open blocks keeps each block’s content complete', () => {
    const block = fc.record({
      isTool: fc.boolean(),
      pieces: fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
        (blocks, seed) => {
          const lanes = blocks.map(({ isTool, pieces }, index) => {
            const json = JSON.stringify({ text: pieces.join('') });
            const deltas = isTool
              ? [json.slice(0, 5), json.slice(5)].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
              : pieces.map((text) => ({ type: 'text_delta', text }));
            return deltas.map((delta) => ({ type: 'content_block_delta', index, delta }));
          });
          const events: WireEvent[] = [
            messageStart(),
            ...blocks.map(({ isTool }, index) => ({
              type: 'content_block_start',
              index,
              content_block: isTool
                ? { type: 'tool_use', id: `t${index}`, name: 'f', input: {} }
                : { type: 'text', text: '' },
            })),
          ];
          for (let at = 0; lanes.some((lane) => lane.length > 0); at++) {
            const left = lanes.filter((lane) => lane.length > 0);
            events.push(left[(seed[at % seed.length] ?? 0) % left.length]!.shift()!);
          }
          events.push(
            {
              type: 'message_delta',
              delta: { stop_reason: 'end_turn', stop_sequence: null },
              usage: { output_tokens: 1 },
            },
            { type: 'message_stop' },
          );
          const outcome = run(events, false);
          expect(outcome.error).toBeUndefined();
          expect(findOrderError(outcome.events)).toBeUndefined();
          const content = collected(outcome.events).content as {
            type: string;
            text: string;
            input: { text: string };
          }[];
          const tools = content.filter(({ type }) => type === 'tool_use').map(({ input }) => input.text);
          expect(tools).toEqual(blocks.filter(({ isTool }) => isTool).map(({ pieces }) => pieces.join('')));
          const letters = (texts: readonly string[]) => Array.from(texts.join('')).sort().join('');
          const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text);
          expect(letters(texts)).toBe(letters(blocks.filter(({ isTool }) => !isTool).flatMap(({ pieces }) => pieces)));
        },
      ),
      { numRuns: proofRuns(2_000) },
    );
  });
});
