import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../domain/errors';
import { isObject } from '../domain/json';
import type { GatewayRequest } from './handler';
import { parseMultipartBody } from './multipart-body';

/** The limit of a body with media. A video of 25 MB is 33.4 MB as a data URL; the rest is for the other fields. */
const MEDIA_BYTES = 36 * 1024 * 1024;
const VIDEO_EXAMPLE = '{"model": "…", "prompt": "…"}';

export interface RequestBody {
  readonly values: Readonly<Record<string, unknown>>;
  /** True for a form: numbers and booleans are text. */
  readonly textOnly: boolean;
}

/**
 * Reads a body in JSON or as a multipart form. Rejects with `unsupported_media_type`, `request_too_large`,
 * `invalid_json`, `invalid_body` or `unsupported_parameter` (an uploaded file).
 */
export async function readRequestBody(request: GatewayRequest): Promise<RequestBody> {
  const contentType = request.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') {
    requireUtf8(contentType);
    return { values: parseJsonBody(await request.readBody(MEDIA_BYTES), VIDEO_EXAMPLE), textOnly: false };
  }
  if (mediaType === 'multipart/form-data') {
    return { values: parseMultipartBody(await request.readBody(MEDIA_BYTES), contentType), textOnly: true };
  }
  throw new GatewayError(
    'unsupported_media_type',
    mediaType
      ? 'This Content-Type is not supported. Send application/json or multipart/form-data.'
      : 'The Content-Type is missing. Send the body with Content-Type: application/json (or multipart/form-data).',
  );
}

function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new GatewayError('invalid_json', 'JSON is read as UTF-8 only. Send charset=utf-8 or no charset.');
  }
}

/** Returns the error for a body of more than `maxBytes`, which both mounts throw while reading. */
export function bodyTooLarge(maxBytes: number): GatewayError {
  if (maxBytes < 1024 * 1024)
    return new GatewayError('request_too_large', `The body is larger than ${maxBytes / 1024} KiB. Send a shorter one.`);
  const mebibytes = maxBytes / (1024 * 1024);
  return new GatewayError(
    'request_too_large',
    `The body is larger than ${mebibytes} MiB. Send media as https URLs instead of data URLs.`,
  );
}

// `JSON.parse` accepts 200,000 levels of nesting, numbers that become Infinity and an own key `__proto__`, and each of
// these causes an error later. So the text is measured before it is parsed, and the values are checked once afterwards.

interface BodyLimits {
  readonly depth: number;
  readonly keys: number;
  /** Commas: one less than the number of elements of an array. */
  readonly commas: number;
  /** Escaped quotes in strings, each of which costs a search. */
  readonly escapedQuotes: number;
  /** Characters outside data URLs; unlimited if absent. */
  readonly plainChars?: number;
}

const PLAIN_CHARS = 1024 * 1024;

/**
 * For a request that creates something: a few fields with inline media. Only data URLs make a legitimate body large.
 */
const short: BodyLimits = {
  depth: 64,
  keys: 10_000,
  commas: 10_000,
  escapedQuotes: PLAIN_CHARS / 2,
  plainChars: PLAIN_CHARS,
};

/** A conversation contains tool schemas and all earlier messages; most of it is forwarded unchanged. */
const long: BodyLimits = {
  depth: 256,
  keys: 250_000,
  commas: 500_000,
  escapedQuotes: 4_000_000,
};

const MESSAGE_EXAMPLE = '{"model": "…", "max_tokens": 1024, "messages": [{"role": "user", "content": "…"}]}';

/**
 * Parses the body as an object. Throws `invalid_json` if it is not JSON in UTF-8, `invalid_body` if it is not an object
 * within the limits, `request_too_large` if it has more than 1 MiB outside data URLs. `example` is a valid body that
 * the error message shows.
 */
export function parseJsonBody(bytes: Buffer, example?: string): Record<string, unknown> {
  return cleaned(parseObject(readText(bytes), short, example));
}

/**
 * `parseJsonBody` for a conversation, which may be long and deeply nested; its values are checked only if the text
 * looks suspicious.
 */
export function parseLongJsonBody(bytes: Buffer): Record<string, unknown> {
  const text = readText(bytes);
  const body = parseObject(text, long, MESSAGE_EXAMPLE);
  // The key may also be written with escapes.
  const isSuspicious = text.includes('__proto__') || text.includes('\\u005f') || text.includes('\\u005F');
  return isSuspicious ? cleaned(body) : body;
}

function readText(bytes: Buffer): string {
  if (bytes.length === 0) throw new GatewayError('invalid_json', 'The body is empty. Send a JSON object.');
  if (!isUtf8(bytes))
    throw new GatewayError('invalid_json', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  return withoutByteOrderMark(bytes).toString('utf8');
}

function parseObject(text: string, limits: BodyLimits, example?: string): Record<string, unknown> {
  measure(text, limits);
  const value = parse(text);
  if (!isObject(value)) {
    const such = example === undefined ? '' : `, such as ${example}`;
    throw new GatewayError('invalid_body', `The body must be a JSON object${such}.`);
  }
  return value;
}

/** Removes a UTF-8 byte order mark from the beginning; some editors and tools write one. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError(
      'invalid_json',
      'The body is not valid JSON. Check for missing quotes, trailing commas and a truncated end.',
    );
  }
}

/**
 * Counts levels, keys and elements without parsing. Strings are skipped with one search each, so that a data URL of
 * megabytes is cheap.
 */
function measure(
  text: string,
  {
    depth: maxDepth,
    keys: maxKeys,
    commas: maxCommas,
    escapedQuotes: maxEscapedQuotes,
    plainChars: maxPlainChars = Infinity,
  }: BodyLimits,
): void {
  let depth = 0;
  let keys = 0;
  let commas = 0;
  let escapedQuotes = 0;
  let mediaChars = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const start = at;
        at = text.indexOf('"', start + 1);
        while (at !== -1 && isEscaped(text, at)) {
          escapedQuotes += 1;
          if (escapedQuotes > maxEscapedQuotes)
            throw new GatewayError(
              'request_too_large',
              `The strings of the body have more than ${maxEscapedQuotes} escaped quotes. Send less text.`,
            );
          at = text.indexOf('"', at + 1);
        }
        // An unterminated string: the parser reports it.
        if (at === -1) at = text.length;
        if (maxPlainChars === Infinity) break;
        if (text.startsWith('data:', start + 1)) mediaChars += at - start;
        if (at - mediaChars > maxPlainChars) throw tooMuchText(maxPlainChars);
        break;
      }
      case 0x2c:
        commas += 1;
        if (commas > maxCommas)
          throw new GatewayError('invalid_body', `The body has more than ${maxCommas} elements. Send fewer.`);
        break;
      case 0x3a:
        keys += 1;
        if (keys > maxKeys)
          throw new GatewayError('invalid_body', `The body has more than ${maxKeys} keys. Send fewer.`);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > maxDepth)
          throw new GatewayError(
            'invalid_body',
            `The body is nested more than ${maxDepth} levels deep. Send a flatter one.`,
          );
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
    }
  }
  if (text.length - mediaChars > maxPlainChars) throw tooMuchText(maxPlainChars);
}

function tooMuchText(maxChars: number): GatewayError {
  return new GatewayError(
    'request_too_large',
    `The body is larger than ${maxChars / (1024 * 1024)} MiB without its data URLs. Send less text, and media as https URLs or data URLs.`,
  );
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
  return slashes % 2 === 1;
}

function cleaned(body: Record<string, unknown>): Record<string, unknown> {
  for (const [key, inner] of Object.entries(body)) clean(inner, key);
  delete body['__proto__'];
  return body;
}

// Recursion is safe: `measure` has bounded the depth.
function clean(value: unknown, param: string): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new GatewayError('invalid_type', `${param} must be a finite number.`, { param });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const inner of value) clean(inner, param);
    return;
  }
  for (const inner of Object.values(value)) clean(inner, param);
  // An own key with this name would replace the prototype of any object that it is later assigned to.
  delete (value as Record<string, unknown>)['__proto__']; // Safe: an object of JSON has string keys.
}
