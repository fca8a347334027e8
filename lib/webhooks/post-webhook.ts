import { unixSeconds } from '../domain/clock';
import { parseRetryAfter } from '../io/retry-after';
import type { OutboundReason } from '../net/outbound-error';
import { isOutboundError } from '../net/outbound-error';
import type { Outbound } from '../net/safe-fetch';
import { signWebhook } from './signature';

interface WebhookPost {
  readonly url: string;
  /** The webhook id, the same for every attempt. */
  readonly id: string;
  /** `video.completed` or `video.failed`. */
  readonly event: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The body, which is sent byte for byte. */
  readonly body: string;
  readonly secrets: readonly string[];
  readonly now: Date;
  readonly signal?: AbortSignal;
  /** The trace of a sampled request. */
  readonly traceparent?: string | undefined;
}

interface WebhookAnswer {
  /** `gone`: the receiver answered 410 and wants no further deliveries. */
  readonly outcome: 'delivered' | 'failed' | 'gone';
  readonly latencyMs: number;
  readonly status?: number;
  /** The address that was called; absent when it was not allowed or not known. */
  readonly address?: string;
  /** The beginning of the response body, printable, at most 1 KiB. */
  readonly snippet?: string;
  /** The receiver's Retry-After with 429 and 503, at most one hour. */
  readonly retryAfterMs?: number;
  /** `status`: a status outside 2xx. */
  readonly error?: OutboundReason | 'status';
}

const TOTAL_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const SNIPPET_BYTES = 1_024;
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Makes one attempt. Resolves whatever the receiver does; rejects only when `signal` aborts or on a bug of ours. */
export async function postWebhook(outbound: Outbound, post: WebhookPost): Promise<WebhookAnswer> {
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await outbound.fetch(post.url, {
      purpose: 'webhook',
      method: 'POST',
      headers: headersOf(post),
      body: post.body,
      maxBytes: MAX_ANSWER_BYTES,
      // The status is enough: a receiver with a long or incomplete response body has still answered.
      whenLonger: 'cut',
      totalMs: TOTAL_MS,
      redirects: 0,
      ...(post.signal === undefined ? {} : { signal: post.signal }),
    });
    const { status, address } = answer;
    const snippet = snippetOf(answer.body);
    const seen = { latencyMs: latencyMs(), status, address, ...(snippet === '' ? {} : { snippet }) };
    if (status >= 200 && status < 300) return { outcome: 'delivered', ...seen };
    if (status === 410) return { outcome: 'gone', ...seen, error: 'status' };
    const retryAfterMs =
      status === 429 || status === 503
        ? parseRetryAfter(answer.headers['retry-after'], post.now, MAX_RETRY_AFTER_MS)
        : undefined;
    return {
      outcome: 'failed',
      ...seen,
      error: status >= 300 && status < 400 ? 'redirect' : 'status',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  } catch (error) {
    if (!isOutboundError(error)) throw error;
    return {
      outcome: 'failed',
      latencyMs: latencyMs(),
      error: error.reason,
      ...(error.address === undefined ? {} : { address: error.address }),
    };
  }
}

function headersOf(post: WebhookPost): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': post.id,
    'webhook-timestamp': String(unixSeconds(post.now)),
    'webhook-signature': signWebhook({ id: post.id, timestamp: post.now, body: post.body, secrets: post.secrets }),
    'x-patchbay-event': post.event,
    'x-patchbay-attempt': String(post.attempt),
    ...(post.traceparent !== undefined && { traceparent: post.traceparent }),
  };
}

/**
 * Replaces control, formatting and unreadable characters by `?`: they could forge log lines, and a database refuses
 * some.
 */
function snippetOf(body: Buffer): string {
  return body
    .subarray(0, SNIPPET_BYTES)
    .toString('utf8')
    .replace(/[^\P{C}\n\t]|[\u2028\u2029\ufffd]/gu, '?');
}
