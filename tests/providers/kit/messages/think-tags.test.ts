import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createThinkTagParser } from '../../../../lib/providers/kit/messages/think-tags';

function read(pieces: readonly string[]): { thinking: string; text: string } {
  const splitter = createThinkTagParser();
  const parts = [...pieces.map((piece) => splitter.push(piece)), splitter.end()];
  return { thinking: parts.map(({ thinking }) => thinking).join(''), text: parts.map(({ text }) => text).join('') };
}

describe('createThinkTagParser', () => {
  it.each([
    ['<think>Hm.</think>\n\nYes.', { thinking: 'Hm.', text: 'Yes.' }],
    ['\n<think>\nHm. </ no</think>Yes.', { thinking: '\nHm. </ no', text: 'Yes.' }],
    ['<think>Never ends', { thinking: 'Never ends', text: '' }],
    ['<think></think>Yes.', { thinking: '', text: 'Yes.' }],
    [
      'The mark <think> opens a </think> thinking.',
      { thinking: '', text: 'The mark <think> opens a </think> thinking.' },
    ],
    ['<thin', { thinking: '', text: '<thin' }],
    ['  plain', { thinking: '', text: '  plain' }],
    ['', { thinking: '', text: '' }],
  ])('reads %j the same, however it is cut', (whole, expected) => {
    expect(read([whole])).toEqual(expected);
    expect(read(whole.split(''))).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: whole.length }), { maxLength: 5 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), whole.length];
        expect(read(edges.slice(1).map((edge, index) => whole.slice(edges[index], edge)))).toEqual(expected);
      }),
    );
  });
});
