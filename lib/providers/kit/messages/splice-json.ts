// Changes top-level members of a JSON object in its bytes and leaves all others byte for byte unchanged: an upstream's
// prompt cache compares bytes, and serializing a large body costs more than reading it. Strings are skipped with a
// native search, so the cost depends on the structure rather than on the text.

/** For each member to change: its new JSON text, or `undefined` to remove it. */
export type Splices = Readonly<Record<string, string | undefined>>;

interface Member {
  readonly name: string;
  /** The offset of the name's opening quote. */
  readonly start: number;
  readonly valueStart: number;
  /** The offset after the last byte of the value. */
  readonly end: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/**
 * Returns the object with some members changed. New members are appended. Of duplicate names only the last one is kept,
 * as JSON.parse does, so that the upstream cannot read another value than we did. `source` must be a valid JSON object
 * in UTF-8.
 */
export function spliceJson(source: Uint8Array, splices: Splices): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const members = findMembers(bytes);
  const names = new Set<string>();
  for (const { name } of members) names.add(name);
  // The usual case: values are replaced or appended, and everything else is copied in two or three pieces.
  const isPlain =
    names.size === members.length &&
    !members.some(({ name }) => Object.hasOwn(splices, name) && splices[name] === undefined);
  return Buffer.concat(isPlain ? replaced(bytes, members, splices, names) : rebuilt(bytes, members, splices, names));
}

function replaced(bytes: Buffer, members: readonly Member[], splices: Splices, names: ReadonlySet<string>): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { name, valueStart, end } of members) {
    const text = Object.hasOwn(splices, name) ? splices[name] : undefined;
    if (text === undefined) continue;
    parts.push(bytes.subarray(from, valueStart), Buffer.from(text));
    from = end;
  }
  const end = members.at(-1)?.end ?? bytes.lastIndexOf(CLOSE);
  parts.push(bytes.subarray(from, end));
  addMissing(parts, splices, names, members.length > 0);
  parts.push(bytes.subarray(end));
  return parts;
}

function rebuilt(bytes: Buffer, members: readonly Member[], splices: Splices, names: ReadonlySet<string>): Buffer[] {
  const last = new Map(members.map((member) => [member.name, member]));
  const parts = [bytes.subarray(0, members[0]?.start ?? bytes.indexOf(OPEN) + 1)];
  let isFirst = true;
  for (const member of members) {
    const changed = Object.hasOwn(splices, member.name);
    const text = splices[member.name];
    if (last.get(member.name) !== member || (changed && text === undefined)) continue;
    if (!isFirst) parts.push(Buffer.from(','));
    isFirst = false;
    if (changed && text !== undefined) parts.push(bytes.subarray(member.start, member.valueStart), Buffer.from(text));
    else parts.push(bytes.subarray(member.start, member.end));
  }
  addMissing(parts, splices, names, !isFirst);
  parts.push(bytes.subarray(bytes.lastIndexOf(CLOSE)));
  return parts;
}

function addMissing(parts: Buffer[], splices: Splices, names: ReadonlySet<string>, hasMembers: boolean): void {
  let added = '';
  for (const name of Object.keys(splices)) {
    const text = splices[name];
    if (text !== undefined && !names.has(name))
      added += `${hasMembers || added !== '' ? ',' : ''}${JSON.stringify(name)}:${text}`;
  }
  if (added !== '') parts.push(Buffer.from(added));
}

/** Returns the top-level members in order. */
function findMembers(bytes: Buffer): Member[] {
  const members: Member[] = [];
  let at = bytes.indexOf(OPEN) + 1;
  for (;;) {
    const start = skipBlank(bytes, at);
    if (bytes[start] !== QUOTE) return members;
    const nameEnd = endOfString(bytes, start);
    const colon = skipBlank(bytes, nameEnd);
    if (bytes[colon] !== COLON) throw new SyntaxError('A member without a colon.');
    const valueStart = skipBlank(bytes, colon + 1);
    const end = endOfValue(bytes, valueStart);
    members.push({ name: nameAt(bytes, start, nameEnd), start, valueStart, end });
    const comma = skipBlank(bytes, end);
    if (bytes[comma] !== COMMA) return members;
    at = comma + 1;
  }
}

function nameAt(bytes: Buffer, start: number, end: number): string {
  const quoted = bytes.toString('utf8', start, end);
  // Safe: it is a JSON string, quotes included.
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length;) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === 123 || byte === 91) depth++;
    else if (byte === 125 || byte === 93) {
      // The closing brace of the object after a number or a literal.
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
