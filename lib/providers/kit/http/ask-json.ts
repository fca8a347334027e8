import type { Clock } from '../../../domain/clock';
import { fetchBuffered, type BufferedUpstreamAnswer } from './fetch-buffered';
import type { Upstream, UpstreamRequest } from './http';

// One request with a short answer in JSON. The caller judges the answer: a vendor may refuse with the status 200, and
// the body may be the page of a proxy.

export interface JsonAnswer extends Pick<BufferedUpstreamAnswer, 'status' | 'headers'> {
  /**
   * Undefined: the body is empty or is not JSON, such as the page of a proxy. Integers of more than 15 digits are text,
   * because a number would lose their last digits; vendors use them as ids.
   */
  readonly json: unknown;
  /** The length of the body in bytes. */
  readonly bytes: number;
}

/** The longest answer, by default. */
export const MAX_JSON_BYTES = 1024 * 1024;

/**
 * Resolves with the answer, whatever its status. Rejects as `fetchBuffered` does, also for a body of more than `maxBytes`
 * (by default 1 MiB).
 */
export async function askJson(
  upstream: Upstream,
  request: UpstreamRequest,
  clock: Clock,
  maxBytes = MAX_JSON_BYTES,
): Promise<JsonAnswer> {
  const { status, headers, bytes } = await fetchBuffered(upstream, request, clock, maxBytes);
  return { status, headers, json: parseJson(bytes), bytes: bytes.length };
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Undefined for text that is not JSON; see `JsonAnswer`. */
export function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    // A receiver may ignore the mark (RFC 8259, section 8.1), and the answer may be all that says that a video has begun.
    return JSON.parse(quoteLongIntegers(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
  } catch {
    return undefined;
  }
}

/**
 * A string or a number of JSON. Strings are matched as a whole, so that digits in them are not taken for numbers. A string
 * without an end is matched too: each of its quotes would otherwise be tried as the beginning of another one, which takes
 * minutes for an answer of 1 MiB that breaks off.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^]?[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function quoteLongIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replace(STRING_OR_NUMBER, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token));
}
