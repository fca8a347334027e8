// Where an upstream lives: its own address, or the one that the operator's `<PROVIDER>_BASE_URL` puts in its place.

/** Without a slash at the end. Throws with a sentence for the operator, at start, when it is no address. */
export function findBaseUrl(settings: Readonly<Record<string, string>>, variable: string, standard: string): string {
  const text = (settings[variable] ?? standard).replace(/\/+$/, '');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`${variable} must be an http or https address, such as ${standard}.`);
  return text;
}

/** The address of a socket below that base: `wss` where the base is `https`. A parameter with a list is repeated. */
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
