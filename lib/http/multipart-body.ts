import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../domain/errors';

// The official SDKs send videos as forms: `input_reference[image_url]` for a nested value, `image_list[]` for an array, and
// every number and boolean as text. The names are unfolded here; what the texts mean is for `parseVideoRequest` to say.

const MAX_DEPTH = 64;
const MAX_PARTS = 10_000;
const FIELD_NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

type Fields = Record<string, unknown>;

/** The form as nested values whose leaves are texts. `invalid_body` when malformed, `unsupported_parameter` for an uploaded file. */
export async function parseMultipartBody(bytes: Buffer, contentType: string): Promise<Fields> {
  const form = await parseForm(bytes, contentType);
  const fields = emptyFields();
  let parts = 0;
  for (const [name, value] of form) {
    parts += 1;
    if (parts > MAX_PARTS) throw new GatewayError('invalid_body', `The form has more than ${MAX_PARTS} parts. Send fewer.`);
    if (typeof value !== 'string') throw uploadNotSupported(name);
    setField(fields, fieldPath(name), value);
  }
  // After the files, whose bytes may be anything: the parser would have put U+FFFD in place of what is no text.
  if (!isUtf8(bytes)) throw new GatewayError('invalid_body', 'The form is not valid UTF-8. Send its texts encoded as UTF-8.');
  return fields;
}

async function parseForm(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new GatewayError('invalid_body', 'The body is not a valid multipart form. Check its boundary and that it is complete.');
  }
}

function uploadNotSupported(name: string): GatewayError {
  const known = /^[A-Za-z0-9_.[\]-]{1,64}$/.test(name);
  const subject = known ? name : 'A part of the form';
  return new GatewayError(
    'unsupported_parameter',
    `${subject} is an uploaded file, and uploads are not supported. Give image_url as an https address or a data URL.`,
    known ? { param: name } : {},
  );
}

/** `a[b][]` → `['a', 'b', '']`; a name that is not of this form stands for itself. */
function fieldPath(name: string): readonly string[] {
  const match = FIELD_NAME.exec(name);
  const first = match?.[1];
  if (first === undefined) return [name];
  const rest = match?.[2] ?? '';
  return rest === '' ? [first] : [first, ...rest.slice(1, -1).split('][')];
}

function setField(fields: Fields, path: readonly string[], value: string): void {
  if (path.length > MAX_DEPTH) throw new GatewayError('invalid_body', `The form is nested more than ${MAX_DEPTH} levels deep. Send a flatter one.`);
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
    // Safe: leaves are texts and arrays of texts, everything else in here was made by `emptyFields`.
    target = target[key] as Fields;
  }
}

function contradiction(path: readonly string[]): GatewayError {
  const param = path[0] ?? '';
  return new GatewayError('invalid_body', 'The form gives one field both a value and nested values. Send one of them.', /^[\w.-]{1,64}$/.test(param) ? { param } : {});
}

// Without a prototype: a part named `__proto__[x]` would otherwise write into every object of the process.
function emptyFields(): Fields {
  return Object.create(null) as Fields; // Safe: an object without any key.
}
