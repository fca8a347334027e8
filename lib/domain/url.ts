/**
 * Parses a URL, relative to `base` if there is one; returns undefined if the text is not a URL. It replaces
 * `URL.canParse`: once Node 20 has compiled a function that calls `URL.canParse`, the function refuses URLs with
 * characters such as the ü of `https://bücher.example` in the host, because Latin-1 bytes are read as UTF-8.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether the text begins like an `http` or `https` URL. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
