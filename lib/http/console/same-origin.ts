import { GatewayError } from '../../domain/errors';

// A browser sends the console's cookie along with requests that other sites make it send. What it never lets them choose is
// the Origin and the Sec-Fetch-Site of such a request, so both are asked before anything changes.

export interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly 'sec-fetch-site'?: string | undefined;
}

/**
 * Throws `cross_origin` unless the request comes from a page of this installation: of the host that it was sent to, or of the
 * base URL (a proxy may have changed the host). A request without Origin is not from a page.
 */
export function checkSameOrigin(headers: OriginHeaders, baseUrl: string): void {
  if (headers['sec-fetch-site'] !== 'cross-site' && isOurs(headers, baseUrl)) return;
  throw new GatewayError(
    'cross_origin',
    'This request did not come from the console of this installation. Use the console itself, or an API key with the scope "manage".',
  );
}

function isOurs({ origin, host }: OriginHeaders, baseUrl: string): boolean {
  // Pages without an origin of their own, such as sandboxed frames, send the word null.
  if (origin === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.origin === new URL(baseUrl).origin) return true;
  // Read with the page's scheme, so that a port that it implies is left out on both sides.
  const asked = `${page.protocol}//${host ?? ''}`;
  return URL.canParse(asked) && new URL(asked).host === page.host;
}
