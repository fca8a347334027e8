// Reads the size of an image from its first bytes, before anything is decoded: a file of a few kilobytes can decode to
// gigabytes of pixels.

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size; undefined if the bytes are not an image of that type, or are too damaged. */
export function readPictureSize(bytes: Uint8Array, contentType: string): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readers[contentType]?.(view);
  } catch (error) {
    // Read past the end: the file is truncated.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const readers: Readonly<Record<string, (view: DataView) => PictureSize | undefined>> = {
  'image/png': (view) =>
    text(view, 12, 4) === 'IHDR' ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined,
  'image/gif': (view) =>
    text(view, 0, 3) === 'GIF' ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : undefined,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/avif': readAvif,
};

function readJpeg(view: DataView): PictureSize | undefined {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C0–CF start a frame, except tables (C4, C8, CC).
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function readWebp(view: DataView): PictureSize | undefined {
  const chunk = text(view, 12, 4);
  if (chunk === 'VP8X') return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (chunk === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== 'VP8L') return undefined;
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
}

/** Returns the largest size among the properties: an image can consist of tiles, each with its own size. */
function readAvif(view: DataView): PictureSize | undefined {
  let largest: PictureSize | undefined;
  for (let at = 0; at < Math.min(view.byteLength - 16, 65_536); at++) {
    if (view.getUint32(at) !== 0x69737065) continue; // "ispe"
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function text(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join('');
}
