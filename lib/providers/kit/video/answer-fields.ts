import { parseUrl } from '../../../domain/url';

// Fields in the answers of vendors, which may be of another type than their documentation says.

/** NUL and halves of surrogate pairs, which no database stores. */
const NOT_STORABLE = /[\0\p{Cs}]/u;

/** An id as text, which may have come as a number. Undefined if there is none that can be stored. */
export function idOf(value: unknown): string | undefined {
  const text = textOf(Number.isSafeInteger(value) ? String(value) : value);
  return text === undefined || NOT_STORABLE.test(text) ? undefined : text;
}

/** Text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The address of a file. */
export function addressOf(value: unknown): string | undefined {
  return typeof value === 'string' && parseUrl(value) !== undefined ? value : undefined;
}

/** A length or a size: a number above 0. */
export function measureOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
