import { GatewayError } from '../../domain/errors';
import { isOwnHost, type OwnHosts } from '../own-host';

// A browser sends the console's cookie along with requests that other sites make it send. What it never lets them choose is
// the Origin and the Sec-Fetch-Site of such a request, so both are checked before anything changes.

export interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly 'sec-fetch-site'?: string | undefined;
}

/**
 * Throws `cross_origin` unless the request comes from a page of this installation: of the base URL, or of the known host
 * (`isOwnHost`) that it was sent to, with the scheme of the base URL. A request without Origin is not from a page.
 */
export function checkSameOrigin(headers: OriginHeaders, hosts: OwnHosts): void {
  if (headers['sec-fetch-site'] !== 'cross-site' && isOwnOrigin(headers, hosts)) return;
  throw new GatewayError(
    'cross_origin',
    `This request did not come from the console of this installation. Open the console at ${new URL(hosts.baseUrl).origin} (PUBLIC_BASE_URL), or use an API key with the scope "manage".`,
  );
}

/**
 * The same for a GET that shows a secret. A browser sends no Origin with it, and a page of another site that leads here cannot
 * read the answer, but it would be written into the audit log as seen. Throws `cross_origin`.
 */
export function checkNotCrossSite(headers: OriginHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return;
  throw new GatewayError(
    'cross_origin',
    'A page of another site led here. Open the console itself, or use an API key with the scope "manage".',
  );
}

function isOwnOrigin({ origin, host }: OriginHeaders, hosts: OwnHosts): boolean {
  // Pages without an origin of their own, such as sandboxed frames, send the word null.
  if (origin === undefined || !URL.canParse(origin)) return false;
  const base = new URL(hosts.baseUrl);
  const { origin: page } = new URL(origin);
  if (page === base.origin) return true;
  // The base URL is only one name of this server: localhost, a mapped port of a container and ALLOWED_HOSTS are others.
  const target = `${base.protocol}//${host ?? ''}`;
  return isOwnHost(host, hosts) && URL.canParse(target) && new URL(target).origin === page;
}
