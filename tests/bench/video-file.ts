// The files of the video scenarios: every byte depends on its place, so that a part shows where it comes from.

export const FILE_BYTES = 20_000_000;
export const LARGE_FILE_BYTES = 100_000_000;

/** The bytes of a file from `start` to before `end`; any file begins with the same bytes. */
export function fileBytes(start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let at = start; at < end; at += 1) bytes[at - start] = (at ^ (at >> 8) ^ (at >> 16) ^ (at >> 24)) & 0xff;
  // The gateway looks at the type of a file.
  if (start === 0) bytes.write('ftyp', 4, 'latin1');
  return bytes;
}
