import { NextResponse, type NextRequest } from 'next/server';
import { gateway, hasGateway } from './lib/runtime';

// Gives every page, that of an unknown path included, its content security policy with a nonce of its own; Next reads
// the nonce from the request's header and puts it on its scripts. No access is decided here: a request that bypasses
// this file lacks headers, but every check still runs.

export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentSecurityPolicy(nonce);

  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('referrer-policy', 'same-origin');
  response.headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(self), payment=()');
  response.headers.set('cross-origin-opener-policy', 'same-origin');
  response.headers.set('cross-origin-resource-policy', 'same-origin');
  return response;
}

/**
 * The style element of our toasts, which has no nonce: it is added empty and then filled.
 * tests/console/content-security-policy.test.ts computes the second hash.
 */
const TOAST_STYLES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

function contentSecurityPolicy(nonce: string): string {
  const isDevelopment = hasGateway() && !gateway().config.production;
  // React's development build evaluates code to rebuild stack traces of the server, and Next's overlay has styles.
  const evaluate = isDevelopment ? " 'unsafe-eval'" : '';
  const styles = isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}' ${TOAST_STYLES}`;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    `style-src 'self' ${styles}`,
    // Attributes that the server renders, such as the width of a bar; each applies to one element.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** All that Next answers, but for routes that exist and answer no pages: whatever is unknown is a page. */
export const config = {
  matcher:
    '/((?!v1/|internal/|console/api/|api/auth/|api/hello$|docs/markdown/|_next/static/|livez$|readyz$|openapi\\.json$|asyncapi\\.json$|llms\\.txt$|llms-full\\.txt$|\\.well-known/security\\.txt$).+)',
};
