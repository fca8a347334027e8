import { GatewayError } from '../domain/errors';
import { wrongHost, type OwnHosts } from './own-host';
import type { Refusal } from './routes';

// Decides which requests go to Next. The pages need only GET, so everything else that Next would process (server
// actions, its image optimizer, methods and bodies that it logs or buffers) is refused first.

export interface PageRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const PAGE_METHODS = ['GET', 'HEAD'];
const SIGN_IN_METHODS = ['GET', 'HEAD', 'POST'];

/**
 * The reason why this request may not go to Next: `wrong_host`, `route_not_found`, `method_not_allowed` or
 * `request_too_large`. `path` is the normalised one.
 */
export function checkPageRequest(
  { method, headers }: PageRequest,
  path: string,
  gateway: OwnHosts & { readonly config: { readonly production: boolean } },
): Refusal | undefined {
  const hostError = wrongHost(headers['host'], gateway);
  if (hostError) return refusal(hostError);
  // No page uses it, and it fetches any URL, including this server's own (SSRF).
  if (/^\/_next\/image(?:\/|$)/.test(path))
    return refusal(
      new GatewayError('route_not_found', 'There is nothing at this path. Check the spelling of the address.'),
    );
  // In development, Next's error overlay posts stack traces.
  if (!gateway.config.production && /^\/__?next/.test(path)) return undefined;
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

function methodsOf(path: string): readonly string[] {
  return path.startsWith('/api/auth/') ? SIGN_IN_METHODS : PAGE_METHODS;
}

function refusal(error: GatewayError, headers: Readonly<Record<string, string>> = {}): Refusal {
  return { kind: 'refused', error, headers };
}
