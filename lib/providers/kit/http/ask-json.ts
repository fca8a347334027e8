import type { Clock } from '../../../domain/clock';
import { fetchBuffered, type BufferedUpstreamAnswer } from './fetch-buffered';
import type { Upstream, UpstreamRequest } from './http';
import { createLongTextFilter } from './long-texts';

// Sends one request that has a short answer in JSON. The caller interprets the answer: a vendor may refuse with the
// status 200, and the body may be the page of a proxy.

export interface JsonAnswer extends Pick<BufferedUpstreamAnswer, 'status' | 'headers'> {
  /**
   * The parsed body; undefined if it is empty or not JSON, such as the page of a proxy. Integers of more than 15 digits
   * are text, because a number would lose their last digits; vendors use them as ids. Texts of more than 64 KiB are
   * empty.
   */
  readonly json: unknown;
  /** The length of the body in bytes, without such texts. */
  readonly bytes: number;
}

/** The maximum length of an answer by default, in bytes. Texts of more than `MAX_TEXT_BYTES` do not count. */
export const MAX_JSON_BYTES = 1024 * 1024;
/**
 * Longer than every text that is read. Some vendors repeat the request in their answers, with images of several MB in
 * base64 (Replicate, Vidu).
 */
const MAX_TEXT_BYTES = 64 * 1024;

/**
 * Resolves with the answer, whatever its status. Rejects as `fetchBuffered` does, including for a body of more than
 * `maxBytes` (by default 1 MiB).
 */
export async function askJson(
  upstream: Upstream,
  request: UpstreamRequest,
  clock: Clock,
  maxBytes = MAX_JSON_BYTES,
): Promise<JsonAnswer> {
  const filter = createLongTextFilter(MAX_TEXT_BYTES);
  const { status, headers, bytes } = await fetchBuffered(upstream, request, clock, maxBytes, filter);
  return { status, headers, json: parseJson(bytes), bytes: bytes.length };
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Parses JSON; undefined for other text. See `JsonAnswer` for long integers. */
export function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    // A receiver may ignore the byte order mark (RFC 8259, section 8.1). It must not make this answer unreadable, which
    // may be the only proof that a video has begun.
    return JSON.parse(quoteLongIntegers(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
  } catch {
    return undefined;
  }
}

/**
 * Matches a string or a number of JSON. Strings are matched as a whole, so that digits in them are not taken for
 * numbers. A string without an end is matched too: otherwise each of its quotes would be tried as the beginning of
 * another string, which takes minutes for a truncated answer of 1 MiB.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^]?[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function quoteLongIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replace(STRING_OR_NUMBER, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token));
}
