import { isHttpUrl, parseUrl } from '../../../domain/url';

// Fields in the answers of vendors, which may be of another type than their documentation says.

/** NUL and halves of surrogate pairs, which no database stores. */
const NOT_STORABLE = /[\0\p{Cs}]/u;

/** The ids of all vendors are far shorter. The database has an index of them, which takes no text of some kilobytes. */
const MAX_ID_CHARS = 1_000;
/** Signed URLs of storage services are longer than other ones; no request for a longer one is made. */
const MAX_URL_CHARS = 8_192;

/** An id as text, which may have come as a number. Undefined if there is none that can be stored. */
export function idOf(value: unknown): string | undefined {
  const text = textOf(Number.isSafeInteger(value) ? String(value) : value);
  return text === undefined || text.length > MAX_ID_CHARS || NOT_STORABLE.test(text) ? undefined : text;
}

/** Text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The field that an error is about, such as `body.prompt`, from the list of its names. Empty if there is none. */
export function fieldPathOf(value: unknown): string {
  return Array.isArray(value) ? value.flatMap((name) => idOf(name) ?? []).join('.') : '';
}

/** A word of the vendor such as a status, in lower case. Empty for what is not text. */
export function wordOf(value: unknown): string {
  return textOf(value)?.toLowerCase() ?? '';
}

/**
 * The http or https URL of a file, as a browser would write it if it has other characters than a URL may have.
 * Undefined for every other text, such as `javascript:…`: callers may open or show the URL.
 */
export function urlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARS) return undefined;
  const url = parseUrl(value);
  // Nothing opens a URL with a user name and a password, and callers must not see those.
  if (!url || !isHttpUrl(url.href) || url.username !== '' || url.password !== '') return undefined;
  return /^[!-~]*$/.test(value) ? value : url.href;
}

/** A length or a size: a number above 0. */
export function measureOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
