import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../domain/errors';

// `JSON.parse` takes 200,000 levels of nesting, numbers that become Infinity and an own key `__proto__`; each of them is a
// fault later, far from here. So the text is measured before it is parsed and the values are looked through once after.

const MAX_DEPTH = 64;
const MAX_KEYS = 10_000;

/** A conversation carries the schemas of its tools and everything that was said; what is in it is mostly passed on. */
const LONG_MAX_DEPTH = 256;
const LONG_MAX_KEYS = 1_000_000;

/** The body as an object. `invalid_json` when it is not JSON in UTF-8, `invalid_body` when it is not an object of sane size. */
export function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  return cleaned(parseObject(readText(bytes), MAX_DEPTH, MAX_KEYS));
}

/** The same for a conversation, which may be long and deep; it is looked through only where the text gives reason to. */
export function parseLongJsonBody(bytes: Buffer): Record<string, unknown> {
  const text = readText(bytes);
  const body = parseObject(text, LONG_MAX_DEPTH, LONG_MAX_KEYS);
  // The name may also be spelt with escapes.
  const isSuspicious = text.includes('__proto__') || text.includes('\\u005f') || text.includes('\\u005F');
  return isSuspicious ? cleaned(body) : body;
}

function readText(bytes: Buffer): string {
  if (bytes.length === 0) throw new GatewayError('invalid_json', 'The body is empty. Send a JSON object.');
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  return withoutByteOrderMark(bytes.toString('utf8'));
}

function parseObject(text: string, maxDepth: number, maxKeys: number): Record<string, unknown> {
  measure(text, maxDepth, maxKeys);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GatewayError('invalid_body', 'The body must be a JSON object, such as {"model": "…", "prompt": "…"}.');
  }
  return value as Record<string, unknown>; // Safe: an object of JSON that is neither null nor an array has string keys.
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError('invalid_json', 'The body is not valid JSON. Check for missing quotes, trailing commas and a truncated end.');
  }
}

/** Counts levels and keys without parsing; strings are skipped whole, so that a data URL of megabytes costs one search. */
function measure(text: string, maxDepth: number, maxKeys: number): void {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x3a:
        keys += 1;
        if (keys > maxKeys) throw new GatewayError('invalid_body', `The body has more than ${maxKeys} keys. Send fewer.`);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > maxDepth) throw new GatewayError('invalid_body', `The body is nested more than ${maxDepth} levels deep. Send a flatter one.`);
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
    }
  }
}

/** Where the string that opens at `start` closes; the end of the text when it never does (the parser then complains). */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
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
  // An own key of that name would replace the prototype of whatever it is assigned to later.
  delete (value as Record<string, unknown>)['__proto__']; // Safe: an object of JSON, see above.
}
