import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snapshotRequest, snapshotSubmission, fingerprintOf } from '../../../lib/videos/submitted-body';
import { parseVideoRequest } from '../../../lib/videos/video-request';
import { edit, everything, fromPicture, fromReferences, fromTwoPictures } from './request-models';

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

const body = { model: 'm', prompt: 'a cat', seconds: 5 };

describe('the fingerprint of a body', () => {
  it('depends on every field that a request of any kind reads', async () => {
    const read = new Set<string>();
    for (const model of [everything, fromPicture, fromTwoPictures, fromReferences, edit]) {
      const url = 'https://example.com/a';
      // Safe: every access is recorded and returned unchanged.
      const asked = new Proxy({ ...body, image_list: [url, url], input_seconds: 5 } as Record<string, unknown>, {
        getOwnPropertyDescriptor(target, name) {
          read.add(String(name));
          return Reflect.getOwnPropertyDescriptor(target, name);
        },
      });
      try {
        parseVideoRequest(asked, false, model, model.bindings);
      } catch {
        // Fields that were read before the refusal count as well.
      }
    }
    read.delete('constructor');
    expect(read.size).toBeGreaterThan(15);
    const plain = await fingerprintOf(body);
    for (const name of read) expect(await fingerprintOf({ ...body, [name]: 'another' }), name).not.toBe(plain);
  });

  it('depends on the whole of a long text', async () => {
    const long = `data:image/png;base64,${'x'.repeat(200_000)}`;
    const one = await fingerprintOf({ ...body, image_url: long });
    expect(await fingerprintOf({ ...body, image_url: long })).toBe(one);
    expect(await fingerprintOf({ ...body, image_url: `${long.slice(0, -1)}y` })).not.toBe(one);
    expect(await fingerprintOf({ ...body, input_reference: { image_url: long } })).not.toBe(
      await fingerprintOf({ ...body, input_reference: { image_url: `${long}y` } }),
    );
  });

  it('does not depend on a prototype', async () => {
    expect(await fingerprintOf(Object.assign(Object.create({ seed: 1 }) as object, body))).toBe(
      await fingerprintOf(body),
    );
  });
});
