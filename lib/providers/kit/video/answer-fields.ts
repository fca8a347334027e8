import { isHttpUrl, parseUrl } from '../../../domain/url';

// Fields in the answers of vendors, which may be of another type than their documentation says.

/** NUL and halves of surrogate pairs, which a database cannot store. */
const NOT_STORABLE = /[\0\p{Cs}]/u;

/** The ids of all vendors are far shorter. The database's index of ids cannot contain a text of several kilobytes. */
const MAX_ID_CHARS = 1_000;
/** Enough for signed URLs of storage services, which are long. A longer URL is never requested. */
const MAX_URL_CHARS = 8_192;

/** Returns an id as text, even if it came as a number. Undefined if there is none that can be stored. */
export function idOf(value: unknown): string | undefined {
  const text = textOf(Number.isSafeInteger(value) ? String(value) : value);
  return text === undefined || text.length > MAX_ID_CHARS || NOT_STORABLE.test(text) ? undefined : text;
}

/** Returns the value if it is text that is not empty; otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Joins the path of the field that an error is about, such as `body.prompt`. Empty if there is none. */
export function fieldPathOf(value: unknown): string {
  return Array.isArray(value) ? value.flatMap((name) => idOf(name) ?? []).join('.') : '';
}

/** Returns a word of the vendor, such as a status, in lower case. Empty for a value that is not text. */
export function wordOf(value: unknown): string {
  return textOf(value)?.toLowerCase() ?? '';
}

/**
 * Returns the http or https URL of a file; characters that a URL may not contain are encoded as in a browser. Undefined
 * for any other text, such as `javascript:…`, because callers may open or show the URL.
 */
export function urlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARS) return undefined;
  const url = parseUrl(value);
  // A URL with a user name and a password is never opened, and callers must not see them.
  if (!url || !isHttpUrl(url.href) || url.username !== '' || url.password !== '') return undefined;
  return /^[!-~]*$/.test(value) ? value : url.href;
}

/** Returns a length or a size: a number above 0; undefined for any other value. */
export function measureOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
