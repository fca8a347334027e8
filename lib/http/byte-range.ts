import type { ByteRange } from '../domain/files';

// RFC 9110 §14: a Range that is malformed, of another unit or with several parts may be ignored, and then the response
// is the whole file. Only a well-formed range outside the file is refused.

const SINGLE = /^bytes=(\d*)-(\d*)$/i;

/** No file is this long, so the source answers that the range is not satisfiable. */
const BEYOND_ANY_FILE = Number.MAX_SAFE_INTEGER;

/** Parses the requested range; undefined for the whole file. */
export function parseRange(header: string | undefined): ByteRange | undefined {
  const match = header === undefined ? null : SINGLE.exec(header.trim());
  if (!match) return undefined;
  const first = match[1] ?? '';
  const last = match[2] ?? '';
  if (first === '') {
    if (last === '') return undefined;
    const suffix = offset(last);
    // `bytes=-0` selects the last zero bytes. As a start, -0 would be 0 and select the whole file.
    return { start: suffix === 0 ? BEYOND_ANY_FILE : -suffix };
  }
  const start = offset(first);
  if (last === '') return { start };
  const end = offset(last);
  return end < start ? undefined : { start, end };
}

/**
 * Returns whether `If-Range` allows a partial response: it is absent, or a strong and equal ETag. A date never matches,
 * because we send none.
 */
export function ifRangeHolds(header: string | undefined, etag: string): boolean {
  return header === undefined || (header.trim() === etag && !etag.startsWith('W/'));
}

/** Returns whether `If-None-Match` contains this ETag, by weak comparison as RFC 9110 §13.1.2 requires. */
export function noneMatchHits(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const wanted = opaque(etag);
  return header.split(',').some((tag) => opaque(tag.trim()) === wanted);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

function offset(digits: string): number {
  return Math.min(Number(digits), BEYOND_ANY_FILE);
}
