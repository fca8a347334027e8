import { describe, expect, it } from 'vitest';
import { sniffMedia } from '../../../lib/net/sniff-media';

const sniff = (text: string) => sniffMedia(Buffer.from(text, 'latin1'));

describe('sniffMedia', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['image/gif', 'GIF89a'],
    ['image/gif', 'GIF87a'],
    ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'],
    ['image/avif', '\0\0\0\x1cftypmif1\0\0\0\0avifmif1miaf'],
    ['video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41'],
    ['video/mp4', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
    ['video/quicktime', '\0\0\0\x14ftypqt  \0\0\0\0qt  '],
    [
      'video/webm',
      '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm',
    ],
  ])('recognises %s', (contentType, head) => expect(sniff(head)).toBe(contentType));

  it.each([
    ['an empty file', ''],
    ['a page', '<!doctype html><html>'],
    ['an image in SVG', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['audio in RIFF', 'RIFF\x24\0\0\0WAVEfmt '],
    ['audio in MP4', '\0\0\0\x20ftypM4A \0\0\x02\0isomiso2'],
    ['an image in HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['another image of the general brand', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic'],
    ['a Matroska file that is not WebM', '\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska'],
    ['a box that is too small', '\0\0\0\x08ftypisom'],
    ['half a signature', '\x89PNG'],
  ])('does not treat %s as media', (_name, head) => expect(sniff(head)).toBeUndefined());

  it('reads from the start of a view, not of its buffer', () => {
    const whole = Buffer.from('xxxxGIF89a');
    expect(sniffMedia(whole.subarray(4))).toBe('image/gif');
  });
});
