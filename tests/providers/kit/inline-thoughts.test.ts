import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInlineThoughts } from '../../../lib/providers/kit/inline-thoughts';

function read(pieces: readonly string[]): { thought: string; text: string } {
  const splitter = createInlineThoughts();
  const parts = [...pieces.map((piece) => splitter.push(piece)), splitter.end()];
  return { thought: parts.map(({ thought }) => thought).join(''), text: parts.map(({ text }) => text).join('') };
}

describe('createInlineThoughts', () => {
  it.each([
    ['<think>Hm.</think>\n\nYes.', { thought: 'Hm.', text: 'Yes.' }],
    ['\n<think>\nHm. </ no</think>Yes.', { thought: '\nHm. </ no', text: 'Yes.' }],
    ['<think>Never ends', { thought: 'Never ends', text: '' }],
    ['<think></think>Yes.', { thought: '', text: 'Yes.' }],
    ['The mark <think> opens a </think> thought.', { thought: '', text: 'The mark <think> opens a </think> thought.' }],
    ['<thin', { thought: '', text: '<thin' }],
    ['  plain', { thought: '', text: '  plain' }],
    ['', { thought: '', text: '' }],
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
