import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../lib/videos/body-fingerprint';
import { parseVideoRequest } from '../../../lib/videos/video-request';
import { edit, everything, fromPicture, fromReferences, fromTwoPictures } from './request-models';

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
