import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snapshotRequest, snapshotSubmission } from '../../../lib/videos/request-snapshot';

describe('a stored request', () => {
  it('is the request itself when it is small', () => {
    const request = {
      model: 'sandbox-t2v',
      prompt: 'a "cat"\nand a dog',
      seconds: 5,
      audio: false,
      seed: null,
      image_list: ['https://example.com/a.png?x=1'],
      extra: { deep: [1, 2.5] },
    };
    expect(snapshotRequest(request)).toEqual(request);
    expect(Object.keys(snapshotRequest(request) as object)).toEqual(Object.keys(request));
  });

  it('has a note in place of media that came inside the request', () => {
    const picture = `data:image/png;base64,${Buffer.alloc(1_234).toString('base64')}`;
    expect(snapshotRequest({ image_url: picture, list: [{ image_url: picture }] })).toEqual({
      image_url: 'data:image/png;base64,… (1,234 bytes)',
      list: [{ image_url: 'data:image/png;base64,… (1,234 bytes)' }],
    });
    expect(snapshotRequest({ url: 'data:,hello' })).toEqual({ url: 'data:text/plain,… (5 bytes)' });
  });

  it('has what replaces a secret, also in a text that is cut', () => {
    const hide = (text: string) => text.replaceAll(/key=\w+/g, 'key=…');
    expect(snapshotRequest({ url: 'a?key=abc', list: ['b?key=abc&x=1'] }, hide)).toEqual({
      url: 'a?key=…',
      list: ['b?key=…&x=1'],
    });
    expect(JSON.stringify(snapshotRequest({ text: `${'x'.repeat(31_990)}?key=abcdefgh` }, hide))).not.toContain('abc');
  });

  it('does not repeat the query of a webhook, which may contain a secret', () => {
    expect(snapshotSubmission({ prompt: 'a?b', webhook: 'https://example.com/hook?token=secret' })).toEqual({
      prompt: 'a?b',
      webhook: 'https://example.com/hook?…',
    });
    expect(snapshotSubmission({ webhook: 'https://example.com/hook' })).toEqual({
      webhook: 'https://example.com/hook',
    });
  });

  it('cuts long texts, deep trees and long lists', () => {
    const kept = snapshotRequest({
      text: 'x'.repeat(40_000),
      list: Array.from({ length: 500 }, () => 1),
      deep: { a: { b: { c: { d: { e: { f: 1 } } } } } },
    }) as Record<string, unknown>;
    expect(kept.text).toBe(`${'x'.repeat(32_000)}…`);
    expect(kept.list).toHaveLength(100);
    expect(JSON.stringify(kept.deep)).toBe('{"a":{"b":{"c":{"d":{"e":"…"}}}}}');
  });

  it('is JSON of a bounded size that every database can store, for any request', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 9, withNullPrototype: true, withBigInt: true, withDate: true }), (value) => {
        const kept = snapshotRequest({ value });
        const text = JSON.stringify(kept);
        expect(JSON.parse(text)).toEqual(kept);
        expect(text).not.toMatch(/\\u0000/);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
    const huge = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 'y'.repeat(5_000)]));
    expect(JSON.stringify(snapshotRequest(huge)).length).toBeLessThan(150_000);
  });
});
