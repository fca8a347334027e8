import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../domain/errors';

// The official SDKs send videos as forms: `input_reference[image_url]` for a nested value, `image_list[]` or
// `image_list[0]` for an array, and every number and boolean as text. The names are expanded here; `parseVideoRequest`
// parses the texts. The form is parsed by hand, because the parser of `Response` copies and decodes everything several
// times and takes half a second for a large form.

const MAX_DEPTH = 64;
const MAX_PARTS = 1_000;
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_NAME_CHARS = 1_000;
/** All texts that are not data URLs together. */
const MAX_PLAIN_BYTES = 1024 * 1024;
const FIELD_NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

type Fields = Record<string, unknown>;

interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly content: Buffer;
}

/**
 * The form as nested values whose leaves are strings. Throws `invalid_body` if it is malformed, `unsupported_parameter`
 * for an uploaded file, `request_too_large` if it has more than 1 MiB outside data URLs.
 */
export function parseMultipartBody(bytes: Buffer, contentType: string): Fields {
  const fields = emptyFields();
  let parts = 0;
  let plainBytes = 0;
  for (const { name, isFile, content } of partsOf(bytes, contentType)) {
    parts += 1;
    if (parts > MAX_PARTS)
      throw new GatewayError('invalid_body', `The form has more than ${MAX_PARTS} parts. Send fewer.`);
    if (isFile) throw uploadNotSupported(name);
    plainBytes += name.length + (content.subarray(0, 5).equals(dataScheme) ? 0 : content.length);
    if (plainBytes > MAX_PLAIN_BYTES)
      throw new GatewayError(
        'request_too_large',
        'The form is larger than 1 MiB without its data URLs. Send less text, and media as https URLs or data URLs.',
      );
    if (!isUtf8(content))
      throw new GatewayError('invalid_body', 'The form is not valid UTF-8. Send its texts encoded as UTF-8.');
    setField(fields, fieldPath(name), content.toString('utf8'));
  }
  for (const [name, value] of Object.entries(fields)) fields[name] = withLists(value);
  return fields;
}

const dataScheme = Buffer.from('data:');
const lineEnd = Buffer.from('\r\n');
const blankLine = Buffer.from('\r\n\r\n');
const closing = Buffer.from('--');

/** The parts in order. Throws `invalid_body` when a boundary, a name or the end is missing. */
function* partsOf(bytes: Buffer, contentType: string): Generator<Part> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter may be at the very beginning.
  let at = bytes.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
    ? delimiter.length - 2
    : endOf(bytes, delimiter, 0);
  while (!startsWith(bytes, closing, at)) {
    if (!startsWith(bytes, lineEnd, at)) throw malformed();
    const headEnd = bytes.subarray(at, at + MAX_HEAD_BYTES).indexOf(blankLine);
    if (headEnd < 0) throw malformed();
    const start = at + headEnd + blankLine.length;
    const head = bytes.toString('utf8', at, start);
    at = endOf(bytes, delimiter, start - lineEnd.length);
    const content = bytes.subarray(start, Math.max(start, at - delimiter.length));
    yield { ...dispositionOf(head), content };
  }
}

function startsWith(bytes: Buffer, start: Buffer, at: number): boolean {
  return bytes.subarray(at, at + start.length).equals(start);
}

function endOf(bytes: Buffer, delimiter: Buffer, from: number): number {
  const at = bytes.indexOf(delimiter, from);
  if (at < 0) throw malformed();
  return at + delimiter.length;
}

function dispositionOf(head: string): Pick<Part, 'name' | 'isFile'> {
  const line = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/im.exec(head)?.[1] ?? '';
  const [, quoted, plain] = /(?:^|[;\s])name=(?:"([^"]*)"|([^\s;"]+))/i.exec(line) ?? [];
  const name = (quoted ?? plain)?.replace(/%0d|%0a|%22/gi, decodeURIComponent);
  if (name === undefined || name.length > MAX_NAME_CHARS) throw malformed();
  return { name, isFile: /(?:^|[;\s])filename\*?=/i.test(line) };
}

function malformed(): GatewayError {
  return new GatewayError(
    'invalid_body',
    'The body is not a valid multipart form. Check its boundary, the names of its parts, and that it is complete.',
  );
}

function uploadNotSupported(name: string): GatewayError {
  const known = /^[A-Za-z0-9_.[\]-]{1,64}$/.test(name);
  if (!known)
    return new GatewayError(
      'unsupported_parameter',
      'A part of the form is an uploaded file, and uploads are not supported. Give media as https URLs or data URLs.',
    );
  const instead = name === 'input_reference' ? 'input_reference[image_url]' : name;
  return new GatewayError(
    'unsupported_parameter',
    `${name} is an uploaded file, and uploads are not supported. Give ${instead} as an https URL or a data URL.`,
    { param: name },
  );
}

/** `a[b][]` → `['a', 'b', '']`; any other name is one path segment. */
function fieldPath(name: string): readonly string[] {
  const match = FIELD_NAME.exec(name);
  const first = match?.[1];
  if (first === undefined) return [name];
  const rest = match?.[2] ?? '';
  return rest === '' ? [first] : [first, ...rest.slice(1, -1).split('][')];
}

function setField(fields: Fields, path: readonly string[], value: string): void {
  if (path.length > MAX_DEPTH)
    throw new GatewayError(
      'invalid_body',
      `The form is nested more than ${MAX_DEPTH} levels deep. Send a flatter one.`,
    );
  let target = fields;
  for (let at = 0; at < path.length; at += 1) {
    const key = path[at] ?? '';
    const rest = path.length - at - 1;
    const existing = target[key];
    if (rest === 0 || (rest === 1 && path[at + 1] === '')) {
      if (Array.isArray(existing)) existing.push(value);
      else if (typeof existing === 'string') target[key] = [existing, value];
      else if (existing === undefined) target[key] = rest === 1 ? [value] : value;
      else throw contradiction(path);
      return;
    }
    if (existing === undefined) target[key] = emptyFields();
    else if (typeof existing === 'string' || Array.isArray(existing)) throw contradiction(path);
    // Safe: leaves are strings and arrays of strings; every other value was made by `emptyFields`.
    target = target[key] as Fields;
  }
}

function contradiction(path: readonly string[]): GatewayError {
  const param = path[0] ?? '';
  return new GatewayError(
    'invalid_body',
    'The form gives one field both a value and nested values. Send one of them.',
    /^[\w.-]{1,64}$/.test(param) ? { param } : {},
  );
}

/** Nested values whose keys are all integers are arrays: `image_list[0]`, `image_list[1]`. */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  // JavaScript returns integer keys in numeric order.
  if (entries.every(([key]) => /^\d{1,4}$/.test(key))) return entries.map(([, inner]) => withLists(inner));
  // Safe: as in `setField`.
  for (const [key, inner] of entries) (value as Fields)[key] = withLists(inner);
  return value;
}

// Without a prototype: a part named `__proto__[x]` would otherwise write to Object.prototype.
function emptyFields(): Fields {
  return Object.create(null) as Fields; // Safe: an object without any key.
}
