// Detects a file's type from its first bytes, because headers and file names are untrusted.

export type MediaKind = 'image' | 'video';

/** The number of bytes that `sniffMedia` needs. */
const SNIFF_BYTES = 64;

/** The allowed types of each kind of media, in words for error messages. */
export const allowedMedia: Readonly<Record<MediaKind, string>> = {
  image: 'a PNG, JPEG, WebP, GIF or AVIF image',
  video: 'an MP4, QuickTime or WebM video',
};

// Brands of an ISO base media file that are neither MP4 nor QuickTime video: still images and audio.
const otherBrands = [
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
  'crx ',
  'jp2 ',
  'jpx ',
  'M4A ',
  'M4B ',
  'M4P ',
  'F4A ',
  'F4B ',
];

/** Returns the media type, such as `image/png` or `video/mp4`; undefined for types that are not in `allowedMedia`. */
export function sniffMedia(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SNIFF_BYTES)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.startsWith('\x1a\x45\xdf\xa3')) return head.includes('webm') ? 'video/webm' : undefined;
  if (head.slice(4, 8) === 'ftyp') return sniffBrands(head);
  return undefined;
}

/** Returns whether this content type is allowed for that kind of media. */
export function isMediaKind(contentType: string | undefined, kind: MediaKind): contentType is string {
  return contentType?.startsWith(`${kind}/`) ?? false;
}

function sniffBrands(head: string): string | undefined {
  const boxBytes = Buffer.from(head.slice(0, 4), 'latin1').readUInt32BE(0);
  if (boxBytes < 16) return undefined;
  const box = head.slice(8, Math.min(boxBytes, head.length));
  const brands = box.match(/.{4}/gs) ?? [];
  const [major = ''] = brands;
  if (major === 'avif' || major === 'avis') return 'image/avif';
  // A still image may list the general brand first; `brands[1]` is the version and not a brand.
  if (major === 'mif1' && brands.slice(2).includes('avif')) return 'image/avif';
  if (major === 'qt  ') return 'video/quicktime';
  return otherBrands.includes(major) ? undefined : 'video/mp4';
}
