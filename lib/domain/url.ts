/**
 * The URL of a text, relative to `base` if there is one; undefined if it is none. In place of `URL.canParse`: as soon as
 * Node 20 has compiled a function that calls it, it refuses URLs with characters such as the ü of `https://bücher.example`
 * in a host, because it reads the bytes of Latin-1 as UTF-8.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Is the text an `http` or `https` URL, by its beginning? */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
