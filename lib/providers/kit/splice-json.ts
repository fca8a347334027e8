// Changes the top-level members of a JSON object in its bytes and leaves all others exactly as they were: an upstream's
// prompt cache compares bytes, and writing a large body anew costs more than reading it. Strings are skipped with a native
// search, so that the cost is that of the structure and not of the text.

/** For each member to change: its new JSON text, or `undefined` to leave it out. */
export type Splices = Readonly<Record<string, string | undefined>>;

interface Member {
  readonly name: string;
  /** Of the name's opening quote. */
  readonly start: number;
  readonly valueStart: number;
  /** Behind the last byte of the value. */
  readonly end: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

/**
 * The same object with some members changed. Those that were not there are added at the end; of a name that stands there
 * several times only the last is kept, as JSON.parse does, so that nobody upstream can read another one than we did.
 * `source` must be the valid JSON of an object, in UTF-8.
 */
export function spliceJson(source: Uint8Array, splices: Splices): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const members = findMembers(bytes);
  const last = new Map(members.map((member) => [member.name, member]));
  const kept = members.filter((member) => last.get(member.name) === member);
  const isUntouched = kept.length === members.length && !kept.some(({ name }) => Object.hasOwn(splices, name) && splices[name] === undefined);

  const parts: (Buffer | string)[] = [];
  let from = isUntouched ? 0 : (members[0]?.start ?? bytes.indexOf(123) + 1);
  if (!isUntouched) parts.push(bytes.subarray(0, from));
  let isFirst = true;
  for (const member of kept) {
    const changed = Object.hasOwn(splices, member.name);
    const text = splices[member.name];
    if (isUntouched) {
      if (!changed || text === undefined) continue;
      parts.push(bytes.subarray(from, member.valueStart), text);
      from = member.end;
    } else if (!changed || text !== undefined) {
      if (!isFirst) parts.push(',');
      parts.push(changed && text !== undefined ? bytes.subarray(member.start, member.valueStart) : bytes.subarray(member.start, member.end));
      if (changed && text !== undefined) parts.push(text);
      isFirst = false;
    }
  }
  const close = bytes.lastIndexOf(125);
  const end = isUntouched ? (kept.at(-1)?.end ?? close) : close;
  if (isUntouched) parts.push(bytes.subarray(from, end));
  const hasMembers = isUntouched ? kept.length > 0 : !isFirst;
  const added = Object.entries(splices).flatMap(([name, text]) => (text === undefined || last.has(name) ? [] : [`${JSON.stringify(name)}:${text}`]));
  if (added.length > 0) parts.push((hasMembers ? ',' : '') + added.join(','));
  parts.push(bytes.subarray(end));
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** The top-level members in order. */
function findMembers(bytes: Buffer): Member[] {
  const members: Member[] = [];
  let at = bytes.indexOf(123) + 1;
  for (;;) {
    const start = skipBlank(bytes, at);
    if (bytes[start] !== QUOTE) return members;
    const nameEnd = endOfString(bytes, start);
    const colon = skipBlank(bytes, nameEnd);
    if (bytes[colon] !== COLON) throw new SyntaxError('A member without a colon.');
    const valueStart = skipBlank(bytes, colon + 1);
    const end = endOfValue(bytes, valueStart);
    // Safe: the slice is a JSON string, quotes included.
    members.push({ name: JSON.parse(bytes.toString('utf8', start, nameEnd)) as string, start, valueStart, end });
    const comma = skipBlank(bytes, end);
    if (bytes[comma] !== COMMA) return members;
    at = comma + 1;
  }
}

function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === 123 || byte === 91) depth++;
    else if (byte === 125 || byte === 93) {
      // The brace of the object around a number or a word.
      if (depth === 0) return trimEnd(bytes, at);
      if (--depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return trimEnd(bytes, at);
    at++;
  }
  throw new SyntaxError('A value without an end.');
}

function endOfString(bytes: Buffer, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  throw new SyntaxError('A string without an end.');
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

function skipBlank(bytes: Buffer, at: number): number {
  while (isBlank(bytes[at])) at++;
  return at;
}

function trimEnd(bytes: Buffer, end: number): number {
  while (isBlank(bytes[end - 1])) end--;
  return end;
}
