// Where to go after signing in is a text from the address bar, so it is anybody's text. Only a page of the console is
// believed: whatever a browser could read as another origin, or as another kind of address, leads to the overview.

export const OVERVIEW_PATH = '/console';

/** `next` as a path of the console with its query, or the overview. */
export function nextPath(next: string | readonly string[] | undefined): string {
  if (typeof next !== 'string' || next.length > 1_000) return OVERVIEW_PATH;
  // A browser drops tabs and line ends and takes a backslash for a slash; an encoded one may be decoded on its way.
  if (!next.startsWith('/') || /[\\\p{Cc}\s]|%(?:2f|5c|0[0-9a-f]|25)/iu.test(next)) return OVERVIEW_PATH;
  if (!URL.canParse(next, ANY_ORIGIN)) return OVERVIEW_PATH;
  const url = new URL(next, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN || !isPage(url.pathname)) return OVERVIEW_PATH;
  return url.pathname + url.search;
}

/** Only to resolve against; reserved by RFC 2606, so it is nobody's. */
const ANY_ORIGIN = 'http://console.invalid';

function isPage(pathname: string): boolean {
  if (pathname.includes('//')) return false;
  const inside = pathname === OVERVIEW_PATH || pathname.startsWith(`${OVERVIEW_PATH}/`);
  return inside && !/^\/console\/(?:api|sign-in|sign-up)(?:\/|$)/.test(pathname);
}
