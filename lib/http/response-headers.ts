import { unixSeconds } from '../domain/clock';
import type { Model } from '../domain/model';
import type { GatewayResponse } from './handler';

// Headers that several endpoints send: CORS, and the end of a model.
//
// `/v1` and the public endpoints read no cookie, so any web page that has a key may call them: origin `*`, never
// credentials. Errors carry these headers too; otherwise a browser hides the 401 from the page.

const EXPOSED = [
  'x-request-id',
  'request-id',
  'Retry-After',
  'retry-after-ms',
  'RateLimit',
  'RateLimit-Policy',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-should-retry',
  'openai-poll-after-ms',
  'X-Patchbay-Provider',
  'X-Patchbay-Attempts',
  'X-Token-Count-Source',
  'X-Ignored-Params',
  'Idempotent-Replayed',
  'Content-Range',
  'Accept-Ranges',
  'Content-Disposition',
  'ETag',
  'X-Catalog-Age',
  'Deprecation',
  'Sunset',
].join(', ');

const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  'x-api-key',
  'X-Test-Scenario',
  'Range',
  'If-Range',
  'Mcp-Protocol-Version',
];
const ALLOWED_PREFIXES = ['anthropic-', 'x-stainless-'];
const ALLOWED_TEXT = ALLOWED.join(', ');

/** Two hours: the maximum in browsers. */
const MAX_AGE_SECONDS = '7200';

export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/** Returns whether this path allows cross-origin requests. */
export function isCrossOrigin(path: string): boolean {
  return (
    path.startsWith('/v1/') ||
    path === '/v1' ||
    path.startsWith('/messages') ||
    path === '/mcp' ||
    path === '/internal/models' ||
    path === '/openapi.json' ||
    path === '/asyncapi.json' ||
    path === '/'
  );
}

/** Returns the response to `OPTIONS`; `requestedHeaders` is the browser's `Access-Control-Request-Headers`. */
export function preflight(allow: string, requestedHeaders: string | undefined): GatewayResponse {
  return {
    status: 204,
    headers: {
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': ALLOWED_TEXT + prefixed(requestedHeaders),
      'access-control-max-age': MAX_AGE_SECONDS,
      vary: 'Access-Control-Request-Headers',
    },
  };
}

// Browsers accept names, not patterns, so the requested names that match a pattern are echoed.
function prefixed(requested: string | undefined): string {
  if (!requested) return '';
  const names = requested
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^[\w-]{1,64}$/.test(name) && ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix)));
  return names
    .slice(0, 32)
    .map((name) => `, ${name}`)
    .join('');
}

/**
 * Announces the end of a model in the response to those who read or use it: since when it is deprecated (RFC 9745: `@`
 * and Unix seconds), and when it is or was retired (RFC 8594: an HTTP date).
 */
export function retirementHeaders(model: Model | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (model?.deprecatedAt !== undefined) headers['deprecation'] = `@${unixSeconds(new Date(model.deprecatedAt))}`;
  if (model?.deactivatedAt !== undefined) headers['sunset'] = new Date(model.deactivatedAt).toUTCString();
  return headers;
}
