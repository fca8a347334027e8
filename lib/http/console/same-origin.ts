import { GatewayError } from '../../domain/errors';
import { isOwnHost, type OwnHosts } from '../own-host';
import { parseUrl } from '../../domain/url';

// CSRF protection. A browser attaches the console's cookie to requests that other sites cause, but those sites cannot
// choose the request's Origin and Sec-Fetch-Site. Both are checked before anything is changed.

export interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly 'sec-fetch-site'?: string | undefined;
}

/**
 * Throws `cross_origin` unless the request comes from a page of this installation: of the base URL, or of the known
 * host (`isOwnHost`) that it was sent to, with the scheme of the base URL. Browsers send Origin with every such
 * request; without one the client is not a web page.
 */
export function checkSameOrigin(headers: OriginHeaders, hosts: OwnHosts): void {
  if (headers['sec-fetch-site'] !== 'cross-site' && isOwnOrigin(headers, hosts)) return;
  throw new GatewayError(
    'cross_origin',
    `This request did not come from the console of this installation. Open the console at ${new URL(hosts.baseUrl).origin} (PUBLIC_BASE_URL), or use an API key with the scope "manage".`,
  );
}

/**
 * For a GET that shows a secret, with which a browser sends no Origin. A page of another site that links here
 * cannot read the response, but the audit log would record that the secret was shown. Throws `cross_origin`.
 */
export function checkNotCrossSite(headers: OriginHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return;
  throw new GatewayError(
    'cross_origin',
    'This request came from a page of another site. Open the console itself, or use an API key with the scope "manage".',
  );
}

function isOwnOrigin({ origin, host }: OriginHeaders, hosts: OwnHosts): boolean {
  // Pages without their own origin, such as sandboxed frames, send `null`.
  if (origin === undefined || !parseUrl(origin)) return false;
  const base = new URL(hosts.baseUrl);
  const { origin: page } = new URL(origin);
  if (page === base.origin) return true;
  // This server has other names than the base URL: localhost, a container's mapped port, ALLOWED_HOSTS.
  const target = `${base.protocol}//${host ?? ''}`;
  return isOwnHost(host, hosts) && parseUrl(target)?.origin === page;
}
