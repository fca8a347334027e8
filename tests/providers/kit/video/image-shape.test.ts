import { describe, expect, it } from 'vitest';
import { newId } from '../../../../lib/domain/ids';
import { imageShape, nearestRatio, readImageShape } from '../../../../lib/providers/kit/video/image-shape';
import { recordLog } from '../../../support/log';
import { PICTURE } from '../../../support/media-bytes';

/** A JPEG image of 64 by 32 pixels with the orientation of its metadata. */
function jpeg(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const app1 = Buffer.from('ffe10000', 'hex');
  app1.writeUInt16BE(exif.length + 2, 2);
  const frame = Buffer.from('ffc0001108002000400301110002110003110000', 'hex');
  return Buffer.concat([Buffer.from('ffd8', 'hex'), app1, exif, frame, Buffer.from('ffd9', 'hex')]);
}

describe('imageShape', () => {
  it('is width divided by height', () => {
    expect(imageShape(Buffer.from(PICTURE.split(',')[1] ?? '', 'base64'))).toBe(1);
    expect(imageShape(jpeg(1))).toBe(2);
  });

  it('is that of the turned image', () => {
    expect(imageShape(jpeg(3))).toBe(2);
    for (const orientation of [5, 6, 7, 8]) expect(imageShape(jpeg(orientation))).toBe(0.5);
  });

  it('is not known for other bytes', () => {
    expect(imageShape(Buffer.from('not an image at all'))).toBeUndefined();
    expect(imageShape(Buffer.alloc(0))).toBeUndefined();
  });
});

describe('nearestRatio', () => {
  it.each([
    [1.7, '16:9'],
    [0.5, '9:16'],
    [1.05, '1:1'],
    [5, '16:9'],
  ])('of %d is %s', (shape, ratio) => {
    expect(nearestRatio(['1:1', '16:9', '9:16'], shape)).toBe(ratio);
  });

  it('is undefined without ratios', () => {
    expect(nearestRatio([], 1)).toBeUndefined();
  });
});

describe('readImageShape', () => {
  it('holds the image no longer than it is measured', async () => {
    let held = 0;
    const media = {
      async read() {
        held += 1;
        return { bytes: jpeg(1), contentType: 'image/jpeg', release: () => void (held -= 1) };
      },
    };
    const call = { signal: new AbortController().signal, log: recordLog() };
    const owner = { orgId: newId('org'), mode: 'live' } as const;
    expect([await readImageShape(media, 'https://example.com/0.jpg', owner, call), held]).toEqual([2, 0]);
  });
});
