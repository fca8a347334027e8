import type { ByteRange } from '../domain/files';

// RFC 9110 §14: a Range that is malformed, of another unit or with several parts may be ignored, and then the response
// is the whole file. Only a well-formed range outside the file is refused.

const SINGLE = /^bytes=(\d*)-(\d*)$/i;

/** No file is this long, so the source answers that the range is not satisfiable. */
const BEYOND_ANY_FILE = Number.MAX_SAFE_INTEGER;

/** The requested range; undefined for the whole file. */
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
 * Does `If-Range` allow a partial response? Yes if it is absent or a strong, equal ETag. We send no dates, so a date
 * never matches.
 */
export function ifRangeHolds(header: string | undefined, etag: string): boolean {
  return header === undefined || (header.trim() === etag && !etag.startsWith('W/'));
}

/** Does `If-None-Match` contain this ETag? Weak comparison, as RFC 9110 §13.1.2 requires. */
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
