import { parseUrl } from '../../domain/url';
// The page to open after signing in comes from the address bar, so it is untrusted. Only a path of the console is
// accepted; anything that a browser could read as another origin or scheme leads to the overview.

export const OVERVIEW_PATH = '/console';

/** Returns `next`, with its query, if it is a path of the console; otherwise the path of the overview. */
export function nextPath(next: string | readonly string[] | undefined): string {
  if (typeof next !== 'string' || next.length > 1_000) return OVERVIEW_PATH;
  // Browsers remove tabs and line breaks and treat a backslash as a slash; a proxy may decode an encoded one.
  if (!next.startsWith('/') || /[\\\p{Cc}\s]|%(?:2f|5c|0[0-9a-f]|25)/iu.test(next)) return OVERVIEW_PATH;
  if (!parseUrl(next, ANY_ORIGIN)) return OVERVIEW_PATH;
  const url = new URL(next, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN || !isPage(url.pathname)) return OVERVIEW_PATH;
  return url.pathname + url.search;
}

/** A base to resolve against; `.invalid` is reserved by RFC 2606. */
const ANY_ORIGIN = 'http://console.invalid';

function isPage(pathname: string): boolean {
  if (pathname.includes('//')) return false;
  const inside = pathname === OVERVIEW_PATH || pathname.startsWith(`${OVERVIEW_PATH}/`);
  return inside && !/^\/console\/(?:api|sign-in|sign-up)(?:\/|$)/.test(pathname);
}
