// Reads width and height from the first bytes of an image without decoding it. The token estimate needs no more.

/** The part of an image that is read: cameras put long metadata before the size in a JPEG. */
const MAX_BASE64_CHARS = 256 * 1024;

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of an image; undefined if its header is not that of PNG, JPEG, GIF or WebP, or is truncated. */
export function imageSizeOf(base64: string): ImageSize | undefined {
  const head = Buffer.from(base64.slice(0, 64), 'base64');
  if (head.length < 30) return undefined;
  if (head.readUInt32BE(0) === 0x89504e47) return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  if (head.toString('latin1', 0, 4) === 'GIF8') return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return webpSize(head);
  if (head.readUInt16BE(0) === 0xffd8) return jpegSize(Buffer.from(base64.slice(0, MAX_BASE64_CHARS), 'base64'));
  return undefined;
}

function webpSize(head: Buffer): ImageSize | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // The start-of-frame markers; C4, C8 and CC between them are not frames.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
