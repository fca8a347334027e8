import { consoleKeyId } from '../../domain/caller';
import { GatewayError } from '../../domain/errors';
import { isId, type KeyId } from '../../domain/ids';
import { wholeNumberParam } from '../query';

// The filters that the lists of videos and of requests have in common.

const MAX_TEXT_CHARS = 200;
const LAST_SECOND = 253_402_300_799;

/** Reads `created_within` (seconds before now), `created_from` and `created_to` (unix seconds). */
export function timeRangeOf(query: URLSearchParams, now: Date): { readonly from?: Date; readonly to?: Date } {
  const withinSeconds = wholeNumberParam(query, 'created_within', 1, LAST_SECOND, undefined);
  const from =
    withinSeconds === undefined ? instantOf(query, 'created_from') : new Date(now.getTime() - withinSeconds * 1000);
  const to = instantOf(query, 'created_to');
  return { ...(from && { from }), ...(to && { to }) };
}

/** A trimmed text; undefined if it is absent or empty. */
export function textOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim();
  if (!text) return undefined;
  if (text.length > MAX_TEXT_CHARS)
    throw new GatewayError('string_too_long', `${name} may have at most ${MAX_TEXT_CHARS} characters.`, {
      param: name,
    });
  // A Postgres text cannot contain NUL, so no row matches.
  if (text.includes('\0'))
    throw new GatewayError('invalid_character', `${name} contains a NUL character. Remove it.`, { param: name });
  return text;
}

/** The id of a key, or `console`. */
export function keyOf(text: string | undefined): KeyId | undefined {
  if (text === undefined) return undefined;
  if (text === consoleKeyId) return consoleKeyId;
  if (isId('key', text)) return text;
  throw new GatewayError(
    'unsupported_value',
    'key must be the id of a key, such as key_… from GET /console/api/keys, or "console".',
    { param: 'key' },
  );
}

function instantOf(query: URLSearchParams, name: string): Date | undefined {
  const seconds = wholeNumberParam(query, name, 0, LAST_SECOND, undefined);
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}
