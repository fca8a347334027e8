import { GatewayError } from '../domain/errors';
import { isOwnHost, type OwnHosts } from './own-host';
import { parsePath } from './request-path';

// What may pass to Next. The pages need GET and nothing else, so everything else that Next would understand (server actions,
// its image optimizer, methods and bodies that it logs or buffers by itself) is refused before Next sees it.

export interface PageRequest {
  readonly method: string;
  /** Without the query, as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const PAGE_METHODS = ['GET', 'HEAD'];
const SIGN_IN_METHODS = ['GET', 'HEAD', 'POST'];
const CONSOLE_API_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What a refusal of `checkPageRequest` adds to the headers of its answer. */
export interface PageRefusal {
  readonly error: GatewayError;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why this request may not pass to Next: `wrong_host`, `invalid_path`, `route_not_found`, `method_not_allowed` or `request_too_large`. */
export function checkPageRequest(
  request: PageRequest,
  gateway: OwnHosts & { readonly config: { readonly production: boolean } },
): PageRefusal | undefined {
  const { method, headers } = request;
  const path = parsePath(request.path);
  if (!isOwnHost(headers['host'], gateway)) {
    return refusal(
      new GatewayError(
        'wrong_host',
        `The console is not available under this host name. Open ${gateway.baseUrl}/console, or have the operator add the name to ALLOWED_HOSTS or set PUBLIC_BASE_URL.`,
      ),
    );
  }
  // Not used by any page, and it fetches whatever address it is given, also of this server.
  if (/^\/_next\/image(?:\/|$)/.test(path))
    return refusal(
      new GatewayError('route_not_found', 'There is nothing at this path. Check the spelling of the address.'),
    );
  // The overlay of the development server posts stack traces to Next.
  if (!gateway.config.production && /^\/__?next/.test(path)) return undefined;
  const allowed = methodsOf(path);
  if (!allowed.includes(method) || headers['next-action'] !== undefined) {
    const allow = allowed.join(', ');
    return refusal(
      new GatewayError(
        'method_not_allowed',
        `This path takes ${allow} only, and no server actions. Check the method and the spelling of the address.`,
      ),
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

function methodsOf(path: string): readonly string[] {
  if (path.startsWith('/console/api/')) return CONSOLE_API_METHODS;
  return path.startsWith('/api/auth/') ? SIGN_IN_METHODS : PAGE_METHODS;
}

function refusal(error: GatewayError, headers: Readonly<Record<string, string>> = {}): PageRefusal {
  return { error, headers };
}
