import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spliceJson } from '../../../../lib/providers/kit/messages/splice-json';

const splice = (text: string, splices: Record<string, string | undefined>) =>
  spliceJson(Buffer.from(text), splices).toString();

describe('spliceJson', () => {
  it('replaces the model and leaves every other byte unchanged', () => {
    const text =
      '{ "max_tokens" : 10.0,\n "model":"a/\\"b", "messages":[{"role":"user","content":"{\\"model\\":1}"}] }';
    expect(splice(text, { model: '"c"' })).toBe(text.replace('"a/\\"b"', '"c"'));
  });

  it('adds missing fields and removes forbidden ones', () => {
    expect(splice('{"a":1,"b":[1,{"c":2}],"d":"x"}', { b: undefined, e: 'true' })).toBe('{"a":1,"d":"x","e":true}');
    expect(splice('{"a":1}', { a: undefined })).toBe('{}');
    expect(splice('{}', { a: '1' })).toBe('{"a":1}');
    expect(splice(' { } ', { a: '1' })).toBe(' { "a":1} ');
  });

  it('keeps the last of two members of one name, even if the name is written with escapes', () => {
    expect(splice('{"model":"evil","x":1,"\\u006dodel":"good"}', { model: '"mine"' })).toBe(
      '{"x":1,"\\u006dodel":"mine"}',
    );
    expect(splice('{"model":"a","model":"b"}', {})).toBe('{"model":"b"}');
  });

  it('changes any object as changing the parsed object does', () => {
    const name = fc.constantFrom('model', 'stream', 'a"b', 'ü', '\\');
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(name, fc.string()), fc.jsonValue(), { noNullPrototype: true }),
        fc.dictionary(name, fc.option(fc.jsonValue(), { nil: undefined }), { noNullPrototype: true }),
        fc.constantFrom(undefined, 1, '\t'),
        (object, changes, indent) => {
          const expected: Record<string, unknown> = { ...object };
          for (const [key, value] of Object.entries(changes)) {
            if (value === undefined) delete expected[key];
            else expected[key] = value;
          }
          const splices = Object.fromEntries(
            Object.entries(changes).map(([key, value]) => [
              key,
              value === undefined ? undefined : JSON.stringify(value),
            ]),
          );
          const result = spliceJson(Buffer.from(JSON.stringify(object, null, indent)), splices).toString();
          expect(JSON.parse(result)).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
