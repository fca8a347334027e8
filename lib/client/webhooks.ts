import type { VideoJson } from '../contract/videos';
import { WebhookSignatureError } from './errors';

// Webhooks follow Standard Webhooks: HMAC-SHA256 over `<id>.<timestamp>.<body>`, with Web Crypto.

export interface WebhookEvent {
  /** `video.completed` or `video.failed`. */
  readonly type: 'video.completed' | 'video.failed';
  /** The id of the delivery, the same for every attempt. Use it to drop duplicates. */
  readonly id: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly video: VideoJson;
}

export interface UnwrapOptions {
  /** The maximum difference in seconds between the webhook's timestamp and the clock. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the current time. */
  readonly now?: number;
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of a webhook and returns its content. `body` is the raw body before it is parsed; `secret` is
 * `whsec_…`, or several of them. Rejects with a WebhookSignatureError.
 */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: UnwrapOptions = {},
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookSignatureError(
      'This is not a signed webhook: a header webhook-id, -timestamp or -signature is missing.',
    );
  const ageSeconds = now / 1_000 - Number(timestamp);
  // This form of the condition also refuses a timestamp that is not a number (NaN).
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookSignatureError(
      'The timestamp of the webhook is too far from the current time: the webhook is too old, or a clock is wrong.',
    );
  if (!(await isSigned(`${id}.${timestamp}.${text}`, signatures, typeof secret === 'string' ? [secret] : secret)))
    throw new WebhookSignatureError('The signature of the webhook does not match this secret.');

  // Safe: the gateway signed it.
  const video = JSON.parse(text) as VideoJson;
  return {
    type: video.status === 'failed' ? 'video.failed' : 'video.completed',
    id,
    attempt: Number(headerOf(headers, 'x-patchbay-attempt') ?? 1),
    video,
  };
}

async function isSigned(signed: string, signatures: string, secrets: readonly string[]): Promise<boolean> {
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [bytesOf(each.slice(3))] : []));
  for (const secret of secrets) {
    const key = await importKey(secret);
    // `verify` of Web Crypto compares in constant time.
    for (const signature of given)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, new TextEncoder().encode(signed))))
        return true;
  }
  return false;
}

function importKey(secret: string): Promise<CryptoKey> {
  const raw = bytesOf(secret.replace(/^whsec_/, ''));
  if (!raw || raw.length === 0)
    throw new WebhookSignatureError('This is not a webhook secret. A webhook secret begins with whsec_.');
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Returns undefined if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof entry === 'object' ? entry[0] : entry;
}
