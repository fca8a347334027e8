import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTranscript } from '../../../../lib/providers/kit/speech/transcript';

describe('makeTranscript', () => {
  it('is absent during silence', () => {
    expect(makeTranscript(' \n', true)).toBeUndefined();
  });

  it('strips words, drops empty ones, rounds to thousandths', () => {
    expect(
      makeTranscript(' Hello. ', true, [
        { word: ' Hello. ', startSeconds: 0.12345, endSeconds: 0.4 },
        { word: ' ', startSeconds: 0.4, endSeconds: 0.5 },
      ]),
    ).toEqual({
      text: 'Hello.',
      isFinal: true,
      words: [{ word: 'Hello.', startSeconds: 0.123, endSeconds: 0.4 }],
    });
  });

  it('never lets times decrease, whatever an upstream sends', () => {
    const word = fc.record({
      word: fc.string(),
      startSeconds: fc.double({ min: -5, max: 50, noNaN: true }),
      endSeconds: fc.double({ min: -5, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(word), (words) => {
        let latest = 0;
        for (const { startSeconds, endSeconds } of makeTranscript('text', false, words)?.words ?? []) {
          if (startSeconds < latest || endSeconds < startSeconds) return false;
          latest = startSeconds;
        }
        return true;
      }),
    );
  });
});
