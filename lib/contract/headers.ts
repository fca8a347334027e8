import { z } from 'zod';

// The headers of the API, in addition to those that HTTP itself defines for every message (`Content-Type`, `Date`, …).

interface Header {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: string | number;
}

const header = (description: string, schema: z.ZodType, example: string | number): Header => ({
  description,
  schema,
  example,
});
const text = z.string();
const whole = z.int().nonnegative();

export type RequestHeader = keyof typeof requestHeaders;
export const requestHeaders = {
  'idempotency-key': header(
    'Makes the submission safe to repeat for 24 hours: 1 to 255 printable ASCII characters.',
    z.string().regex(/^[\x20-\x7e]{1,255}$/),
    'order-1742',
  ),
  'mcp-protocol-version': header('The version of the protocol that the client speaks.', z.string(), '2025-11-25'),
  'x-test-scenario': header(
    'In test mode and on the sandbox models: what the provider should do, such as `fail` or `slow:45`.',
    text,
    'fail',
  ),
  'anthropic-version': header('The version of the vendor API that the client expects.', text, '2023-06-01'),
  'anthropic-beta': header('Beta features of the vendor, separated by commas.', text, 'context-1m-2025-08-07'),
  'patchbay-organization': header(
    'The organisation that the request is about, for people who belong to several. A key belongs to one.',
    text,
    'org_0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f',
  ),
  range: header('A part of the file.', text, 'bytes=0-1023'),
  'if-range': header('The ETag of the file that `Range` refers to.', text, '"7f3a"'),
  'if-none-match': header('The ETag of the response that the client has.', text, '"7f3a"'),
} as const satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof responseHeaders;
export const responseHeaders = {
  'x-request-id': header('The id of the request. Quote it when you report a problem.', text, 'req_5f0c…'),
  'request-id': header('The same as `x-request-id`, for SDKs that read this name.', text, 'req_5f0c…'),
  'x-should-retry': header(
    'Whether the same request may succeed later without a change.',
    z.enum(['true', 'false']),
    'false',
  ),
  'retry-after': header('Seconds to wait before the next request.', whole, 5),
  'retry-after-ms': header('The same in milliseconds.', whole, 5_000),
  ratelimit: header(
    'The remaining amount of each limit: `"name";r=<remaining>;t=<seconds until the reset>`.',
    text,
    '"key_requests_per_second";r=49;t=1',
  ),
  'ratelimit-policy': header('The limits that apply to the request.', text, '"key_requests_per_second";q=50;w=1'),
  'x-ratelimit-limit-requests': header('The limit with the fewest remaining requests.', whole, 50),
  'x-ratelimit-remaining-requests': header('The remaining requests of that limit.', whole, 49),
  'x-ratelimit-reset-requests': header('The time until that limit resets.', text, '1s'),
  'www-authenticate': header('How to authenticate.', text, 'Bearer'),
  upgrade: header('The protocol that the path speaks.', text, 'websocket'),
  'x-ignored-params': header('The parameters of the request that had no effect.', text, 'fps, bgm'),
  'idempotent-replayed': header(
    'The response is that of an earlier request with the same key.',
    z.literal('true'),
    'true',
  ),
  'openai-poll-after-ms': header('When to poll again, in milliseconds.', whole, 5_000),
  'x-patchbay-provider': header('The provider that serves the request.', text, 'sandbox'),
  'x-patchbay-attempts': header('How many provider calls were needed.', whole, 1),
  'x-token-count-source': header(
    'Whether the vendor counted the tokens or they are an estimate.',
    z.enum(['vendor', 'estimate']),
    'estimate',
  ),
  'x-catalog-age': header('Seconds since the catalog was read.', whole, 12),
  deprecation: header('Since when the model is deprecated, for a deprecated model (RFC 9745).', text, '@1790000000'),
  sunset: header(
    'When the model is or was retired, for a model with a date of retirement (RFC 8594).',
    text,
    'Tue, 24 Nov 2026 00:00:00 GMT',
  ),
  etag: header('Identifies this content.', text, '"7f3a"'),
  'accept-ranges': header('Parts of the file can be requested.', z.literal('bytes'), 'bytes'),
  'content-range': header('The part of the file.', text, 'bytes 0-1023/482113'),
  'content-disposition': header('The name of the file.', text, 'inline; filename="video.mp4"'),
  location: header('Where the browser is sent.', text, '/console'),
  'x-accel-buffering': header('Proxies must not buffer the stream.', z.literal('no'), 'no'),
} as const satisfies Record<string, Header>;
