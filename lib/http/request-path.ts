import { GatewayError } from '../domain/errors';

// Normalises a path once. If two parts of the server read a path differently, its access checks can be bypassed, so a
// path with more than one reading is refused and not repaired.

const UNUSUAL = /[%\\]|\/\/|\/\.{1,2}(?:\/|$)|[^\x21-\x7e]/;
const ENCODED_SEPARATOR = /%(?:2f|5c|00)/i;
const ENCODED_BACKSLASH_OR_NUL = /%(?:5c|00)/i;
const AMBIGUOUS = /\\|\/\/|\/\.{1,2}(?:\/|$)|\p{Cc}/u;

/** Below this prefix a slash may be percent-encoded, because a pinned model id contains one. */
const MODELS_PREFIX = '/v1/models/';

/** Decodes a path, such as `/v1/models/acme/x`. Throws `invalid_path` if it has more than one reading. */
export function parsePath(raw: string): string {
  return withoutAlias(parseSpelling(raw));
}

function parseSpelling(raw: string): string {
  if (!raw.startsWith('/')) throw invalidPath('The path must begin with a slash.');
  if (!UNUSUAL.test(raw)) return raw;
  const forbidden = raw.startsWith(MODELS_PREFIX) ? ENCODED_BACKSLASH_OR_NUL : ENCODED_SEPARATOR;
  if (forbidden.test(raw))
    throw invalidPath(
      'The path contains an encoded slash, backslash or NUL. Only a model id may contain an encoded slash.',
    );
  const decoded = decode(raw);
  if (AMBIGUOUS.test(decoded))
    throw invalidPath(
      'The path contains an empty or dot segment, a backslash or a control character. Send it in its plain form.',
    );
  return decoded;
}

// The base URL of messages clients is documented with and without `/v1`, so some clients omit it and some repeat it.
// These paths mean nothing else, so they are rewritten here to the one form. So is the Markdown of a page of the
// documentation, because a pattern has whole segments only.
function withoutAlias(path: string): string {
  const page = /^\/docs\/(.+)\.md$/.exec(path)?.[1];
  if (page !== undefined) return `/docs/markdown/${page}`;
  if (path.startsWith('/v1/v1/')) return path.slice(3);
  return path === '/messages' || path === '/messages/count_tokens' ? `/v1${path}` : path;
}

function decode(raw: string): string {
  if (/[^\x21-\x7e]/.test(raw)) throw invalidPath('The path contains characters that must be percent-encoded.');
  try {
    return decodeURIComponent(raw);
  } catch {
    throw invalidPath('The path contains percent-encoding that is not valid UTF-8.');
  }
}

function invalidPath(message: string): GatewayError {
  return new GatewayError('invalid_path', message);
}
