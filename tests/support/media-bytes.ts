// The first bytes of media files, padded to a length: enough for code that checks only the beginning. And a picture.

export function pngBytes(length = 64): Buffer {
  return padded('\x89PNG\r\n\x1a\n', length);
}

/** The beginning of a PNG file whose image has this size, in pixels. */
export function pngOfSize(width: number, height: number): Buffer {
  const bytes = padded('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 33);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

export function mp4Bytes(length = 64): Buffer {
  return padded('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', length);
}

function padded(head: string, length: number): Buffer {
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(length)]).subarray(0, length);
}

/** A whole picture: a PNG of one pixel, as a data URL. */
export const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
