import { describe, expect, it } from 'vitest';
import { encodeMultipart } from '../../../../lib/providers/kit/http/multipart';

describe('encodeMultipart', () => {
  it('encodes texts and files so that a form parser reads them back', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);
    const { body, contentType } = await encodeMultipart({
      purpose: 'ein Bild, "groß"',
      image: { bytes, contentType: 'image/png', fileName: 'image.png' },
    });
    expect(contentType).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
    expect(form.get('purpose')).toBe('ein Bild, "groß"');
    const image = form.get('image');
    if (!(image instanceof File)) throw new Error('The image is no file.');
    expect([image.name, image.type]).toEqual(['image.png', 'image/png']);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(bytes);
  });
});
