import { NextResponse, type NextRequest } from 'next/server';
import { gateway, hasGateway } from './lib/runtime';

// Gives every page of the console and of the documentation its content security policy with a nonce of its own; Next reads the nonce from the request's
// header and puts it on its scripts. Nothing is decided about anybody here: a request that got around this file would lose
// a header, never a check.

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

function contentSecurityPolicy(nonce: string): string {
  // React's development build evaluates code to rebuild stack traces of the server.
  const evaluate = hasGateway() && !gateway().config.production ? " 'unsafe-eval'" : '';
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    // Dialogs and notices write style elements at run time, without a way to hand them a nonce.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const config = { matcher: ['/console', '/console/((?!api/).*)', '/docs', '/docs/((?!markdown/).*)'] };
