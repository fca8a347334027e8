import { SettingError } from '../../../domain/provider-settings';
import { parseUrl } from '../../../domain/url';

// The base URL of an upstream: the default, or the operator's `<PROVIDER>_BASE_URL`.

/** Returns the URL without a trailing slash. Throws a SettingError if it is not a URL. */
export function findBaseUrl(settings: Readonly<Record<string, string>>, variable: string, standard: string): string {
  const text = (settings[variable] ?? standard).replace(/\/+$/, '');
  if (!/^https?:$/.test(parseUrl(text)?.protocol ?? ''))
    throw new SettingError(variable, `must be an http or https URL, such as ${standard}.`);
  return text;
}

/** Returns the socket URL below a base URL: `wss` for `https`. A parameter with a list is repeated. */
export function socketUrl(
  baseUrl: string,
  path: string,
  query: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): string {
  const url = new URL(baseUrl.replace(/^http/, 'ws') + path);
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) url.searchParams.append(name, one);
  }
  return url.href;
}
