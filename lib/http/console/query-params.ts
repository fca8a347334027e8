import { consoleKeyId } from '../../domain/caller';
import { LAST_SECOND } from '../../domain/clock';
import { GatewayError } from '../../domain/errors';
import { isId, type KeyId, type ProjectId } from '../../domain/ids';
import { wholeNumberParam } from '../query';

// Query parameters of the console's lists.

const MAX_TEXT_CHARS = 200;

/** Reads a text parameter; undefined if absent. Throws `string_too_long` or `invalid_character`. */
export function textParam(query: URLSearchParams, name: string): string | undefined {
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

/** Reads `key`: the id of a key, or `console`. Throws `unsupported_value` for any other value. */
export function keyParam(query: URLSearchParams): KeyId | undefined {
  const text = textParam(query, 'key');
  if (text === undefined) return undefined;
  if (text === consoleKeyId) return consoleKeyId;
  if (isId('key', text)) return text;
  throw new GatewayError(
    'unsupported_value',
    'key must be the id of a key, such as key_… from GET /console/api/keys, or "console".',
    { param: 'key' },
  );
}

/** Reads `project`: the id of a project. Throws `unsupported_value` for any other value. */
export function projectParam(query: URLSearchParams): ProjectId | undefined {
  const text = textParam(query, 'project');
  if (text === undefined || isId('project', text)) return text;
  throw new GatewayError(
    'unsupported_value',
    'project must be the id of a project, such as project_… from GET /console/api/projects.',
    { param: 'project' },
  );
}

/** Reads `created_within` (seconds before now), `created_from` and `created_to` (unix seconds). */
export function timeRangeOf(query: URLSearchParams, now: Date): { readonly from?: Date; readonly to?: Date } {
  const withinSeconds = wholeNumberParam(query, 'created_within', 1, LAST_SECOND, undefined);
  // Not before 1970: the database knows no times of so many years ago.
  const from =
    withinSeconds === undefined
      ? instantParam(query, 'created_from')
      : new Date(Math.max(0, now.getTime() - withinSeconds * 1000));
  const to = instantParam(query, 'created_to');
  return { ...(from && { from }), ...(to && { to }) };
}

/** Reads a time in Unix seconds; undefined if absent. */
export function instantParam(query: URLSearchParams, name: string): Date | undefined {
  const seconds = wholeNumberParam(query, name, 0, LAST_SECOND, undefined);
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}
