import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolArguments } from '../../../../lib/providers/kit/messages/tool-arguments';

function run(fragments: readonly string[]): string {
  const args = createToolArguments();
  return fragments.map((fragment) => args.push(fragment)).join('') + args.end();
}

const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, noNullPrototype: true });

/** The text split at random positions. */
const cut = (text: string) =>
  fc.array(fc.nat({ max: text.length }), { maxLength: 8 }).map((cuts) => {
    const edges = [0, ...cuts.sort((a, b) => a - b), text.length];
    return edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
  });

describe('createToolArguments', () => {
  it('passes any object through unchanged, however it is cut', () => {
    const cutObject = object
      .map((value) => JSON.stringify(value, null, 1))
      .chain((text) => cut(text).map((fragments) => ({ text, fragments })));
    fc.assert(
      fc.property(cutObject, ({ text, fragments }) => {
        const args = createToolArguments();
        const sent = fragments.map((fragment) => args.push(fragment));
        expect(sent).toEqual(fragments);
        expect(args.complete).toBe(true);
        expect(args.end()).toBe('');
        expect(text).toBe(sent.join(''));
      }),
    );
  });

  it('drops every byte after the object', () => {
    expect(run(['{"a":{"b":"}"}}{"a":2}', ' x'])).toBe('{"a":{"b":"}"}}');
  });

  it('takes the real object if an empty one came first', () => {
    for (const fragments of [['{}', '{"a":1}'], ['{}{"a":1}'], ['{', '}', '{', '"a":1}'], [' { } ', ' {"a":1}']])
      expect(JSON.parse(run(fragments))).toEqual({ a: 1 });
    expect(run(['{}'])).toBe('{}');
    expect(run(['{}', ' '])).toBe('{}');
  });

  it('sends nothing for a call without arguments', () => {
    for (const fragments of [[], [''], ['', ' '], ['null'], ['nu', 'll']]) expect(run(fragments)).toBe('');
  });

  it('wraps a value that is not an object', () => {
    expect(JSON.parse(run([String.raw`"{\"a\":`, String.raw`1}"`]))).toEqual({ a: 1 });
    expect(JSON.parse(run(['[1,', '2]']))).toEqual({ value: [1, 2] });
    expect(JSON.parse(run(['tokyo']))).toEqual({ raw: 'tokyo' });
  });

  it('leaves an object that was cut off unchanged', () => {
    expect(run(['{"a":"b'])).toBe('{"a":"b');
  });
});
