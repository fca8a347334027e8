import type { GatewayResponse } from './request-context';

// `/v1` and the public endpoints read no cookie, so any web page may call them, with a key that it was given: origin `*`, never credentials. Errors
// carry these headers too, otherwise a browser hides the 401 from the page that should show it.

const EXPOSED = [
  'x-request-id',
  'request-id',
  'Retry-After',
  'retry-after-ms',
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
];
const ALLOWED_PREFIXES = ['anthropic-', 'x-stainless-'];
const ALLOWED_TEXT = ALLOWED.join(', ');

/** Two hours: the longest that browsers honour. */
const MAX_AGE_SECONDS = '7200';

export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/** Does this path answer other origins? */
export function isCrossOrigin(path: string): boolean {
  return (
    path.startsWith('/v1/') ||
    path === '/v1' ||
    path.startsWith('/messages') ||
    path === '/internal/models' ||
    path === '/'
  );
}

/** The answer to `OPTIONS`; `requestedHeaders` is what the browser would like to send. */
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

// A browser wants names, not patterns, so the names that match a pattern are repeated to it.
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
