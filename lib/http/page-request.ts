import { GatewayError } from '../domain/errors';
import { prefersHtml } from './accept';
import { wrongHost, type OwnHosts } from './own-host';
import { isBelow, type Destination, type Refusal } from './route-table';

// Decides which requests go to Next. The pages need only GET, so everything else that Next would process (server
// actions, its image optimizer, methods and bodies that it logs or buffers) is refused first.

export interface PageRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The paths that Next serves: the pages, its own files, next-auth's routes, the component gallery, and `public`. */
const SERVED_BY_NEXT = ['/console', '/docs', '/_next', '/api/auth', '/dev', '/audio', '/icon.svg'];
const PAGE_METHODS = ['GET', 'HEAD'];
const SIGN_IN_METHODS = ['GET', 'HEAD', 'POST'];

/**
 * Returns where this request goes instead of to Next: to a refusal (`wrong_host`, `route_not_found`,
 * `method_not_allowed` or `request_too_large`), or to the response for an unknown path. Undefined if it goes to Next.
 * `path` is normalised.
 */
export function checkPageRequest(
  { method, headers }: PageRequest,
  path: string,
  gateway: OwnHosts & { readonly config: { readonly production: boolean } },
): Destination | undefined {
  const hostError = wrongHost(headers['host'], gateway);
  if (hostError) return refusal(hostError);
  // No page uses it, and it fetches any URL, including this server's own (SSRF).
  if (/^\/_next\/image(?:\/|$)/.test(path))
    return refusal(new GatewayError('route_not_found', 'There is nothing at this path. Check the spelling.'));
  // In development, Next's error overlay posts stack traces.
  if (!gateway.config.production && /^\/__?next/.test(path)) return undefined;
  // For an unknown path, a browser gets Next's page. Programs get the error of the API, which their SDKs can read.
  if (!isServedByNext(path) && !(PAGE_METHODS.includes(method) && prefersHtml(headers['accept'])))
    return { kind: 'unknown', path, suggestion: undefined };
  const allowed = methodsOf(path);
  if (!allowed.includes(method) || headers['next-action'] !== undefined) {
    const allow = allowed.join(', ');
    return refusal(
      new GatewayError('method_not_allowed', `This path accepts only ${allow}. Check the method and the path.`),
      { allow },
    );
  }
  if (
    allowed === PAGE_METHODS &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  ) {
    return refusal(new GatewayError('request_too_large', 'This path takes no body. Send the request without one.'));
  }
  return undefined;
}

function isServedByNext(path: string): boolean {
  return SERVED_BY_NEXT.some((place) => isBelow(path, place));
}

function methodsOf(path: string): readonly string[] {
  return path.startsWith('/api/auth/') ? SIGN_IN_METHODS : PAGE_METHODS;
}

function refusal(error: GatewayError, headers: Readonly<Record<string, string>> = {}): Refusal {
  return { kind: 'refused', error, headers };
}
