// The first bytes of media files, padded to a length: enough for code that checks only the beginning. And a picture.

export function pngBytes(length = 64): Buffer {
  return padded('\x89PNG\r\n\x1a\n', length);
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
