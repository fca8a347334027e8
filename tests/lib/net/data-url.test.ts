import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDataUrl, isDataUrl, checkDataUrl, sniffDataUrl } from '../../../lib/net/data-url';
import { mp4Bytes, pngBytes } from '../../support/media-bytes';

const MIB = 1024 * 1024;
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const percent = (bytes: Buffer) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('decodeDataUrl', () => {
  it('returns the bytes and their real type, not the declared one', () => {
    expect(decodeDataUrl(dataUrl('image/jpeg', pngBytes()), 'image')).toEqual({
      bytes: pngBytes(),
      contentType: 'image/png',
    });
    expect(decodeDataUrl(dataUrl('video/mp4', mp4Bytes()), 'video').contentType).toBe('video/mp4');
  });

  it('reads every length and every byte, padded or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (tail, isPadded) => {
        const bytes = Buffer.concat([pngBytes(8), tail]);
        const text = dataUrl('image/png', bytes);
        expect(decodeDataUrl(isPadded ? text : text.replace(/=+$/, ''), 'image').bytes).toEqual(bytes);
        expect(decodeDataUrl(`data:image/png,${percent(bytes)}`, 'image').bytes).toEqual(bytes);
      }),
    );
  });

  it('accepts capitals and parameters', () => {
    expect(
      decodeDataUrl(
        dataUrl('IMAGE/PNG;name=a.png', pngBytes()).replace('data:', 'DATA:').replace(';base64', ';BASE64'),
        'image',
      ).contentType,
    ).toBe('image/png');
  });

  it.each([
    ['no comma', 'data:image/png;base64', 'not a complete data URL'],
    ['no type', `data:;base64,${pngBytes().toString('base64')}`, 'must hold a PNG'],
    [
      'the type of the other kind',
      dataUrl('video/mp4', mp4Bytes()),
      'must hold a PNG, JPEG, WebP, GIF or AVIF image and say so',
    ],
    ['a page declared as an image', dataUrl('image/png', Buffer.from('<html>')), 'must hold a PNG'],
    ['a video declared as an image', dataUrl('image/png', mp4Bytes()), 'must hold a PNG'],
    ['SVG', dataUrl('image/svg+xml', Buffer.from('<svg/>')), 'must hold a PNG'],
    ['nothing', 'data:image/png;base64,', 'not valid base64'],
    ['foreign characters', 'data:image/png;base64,iVBO*w0KGgo=', 'not valid base64'],
    ['white space', 'data:image/png;base64,iVBO Rw0KGgo=', 'not valid base64'],
    ['padding in the middle', 'data:image/png;base64,iVBO==Rw0KGgo=', 'not valid base64'],
    ['half a percent sign', 'data:image/png,%89PNG%0', 'not validly percent-encoded'],
    ['raw characters beyond ASCII', 'data:image/png,\u0089PNG', 'not validly percent-encoded'],
  ])('refuses %s', (_name, text, sentence) => {
    expect(() => checkDataUrl(text, 'image', 'image_url')).toThrow(sentence);
    expect(() => checkDataUrl(text, 'image', 'image_url')).toThrow(
      expect.objectContaining({ code: 'media_invalid', extra: { param: 'image_url' } }),
    );
  });

  it('takes images up to 20 MB and videos up to 25 MB, decoded', () => {
    expect(() => checkDataUrl(dataUrl('image/png', pngBytes(20 * MIB)), 'image', 'image_url')).not.toThrow();
    expect(() => checkDataUrl(dataUrl('video/mp4', mp4Bytes(25 * MIB)), 'video', 'video_url')).not.toThrow();
    const tooLarge = expect.objectContaining({ code: 'media_too_large', extra: { param: 'image_url' } });
    expect(() => checkDataUrl(dataUrl('image/png', pngBytes(20 * MIB + 1)), 'image', 'image_url')).toThrow(tooLarge);
    expect(() =>
      checkDataUrl(`data:image/png,%89PNG%0d%0a%1a%0a${'x'.repeat(20 * MIB)}`, 'image', 'image_url'),
    ).toThrow(tooLarge);
    expect(() => checkDataUrl(`data:image/png,${'x'.repeat(60 * MIB + 1)}`, 'image', 'image_url')).toThrow(tooLarge);
  });
});

describe('sniffDataUrl', () => {
  it.each([
    ['a picture', pngBytes(100_000), 'image/png'],
    ['a short picture', pngBytes(12), 'image/png'],
    ['a video', mp4Bytes(), 'video/mp4'],
    ['a text', Buffer.from('x'.repeat(1_000)), undefined],
  ])('names the type of %s by its first bytes, in both encodings', (_what, bytes, type) => {
    expect(sniffDataUrl(dataUrl('image/jpeg', bytes))).toBe(type);
    expect(sniffDataUrl(`data:image/jpeg,${percent(bytes)}`)).toBe(type);
  });

  it.each([0, 1, 2])('ignores an escaped byte of which it reads only a part (%i)', (shift) => {
    const head = percent(Buffer.from('\0\0\0\x20ftypisom', 'latin1'));
    expect(sniffDataUrl(`data:video/mp4,${head}${'x'.repeat(shift)}${percent(Buffer.alloc(100))}`)).toBe('video/mp4');
  });

  it('is undefined for any other text', () => expect(sniffDataUrl('https://example.com/a.png')).toBeUndefined());
});

describe('isDataUrl', () => {
  it('checks the scheme alone', () => {
    expect(isDataUrl('DATA:nonsense')).toBe(true);
    expect(isDataUrl('https://example.com/data:')).toBe(false);
  });
});
