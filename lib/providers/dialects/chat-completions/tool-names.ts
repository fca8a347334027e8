import { createHash } from 'node:crypto';

// Chat upstreams accept tool names of 64 plain characters; our clients' tools may have 128, and MCP servers create long
// ones. A name that does not fit is shortened for the duration of one request.

export interface ToolNames {
  /** Returns the name that the upstream receives. */
  short(name: string): string;
  /** Returns the client's own name for it. */
  full(name: string): string;
}

const fits = /^[a-zA-Z0-9_-]{1,64}$/;
const KEPT_CHARS = 55;
const HASH_DIGITS = 8;

export function createToolNames(names: readonly string[]): ToolNames {
  const shortOf = new Map<string, string>();
  const fullOf = new Map<string, string>();
  const give = (name: string): string => {
    const known = shortOf.get(name);
    if (known !== undefined) return known;
    let short = fits.test(name) ? name : shortened(name, name);
    // Another tool may already have this name; the shortened name must stay unique.
    for (let again = 1; fullOf.has(short); again++) short = shortened(name, `${name}#${again}`);
    shortOf.set(name, short);
    fullOf.set(short, name);
    return short;
  };
  // Names that fit come first, so that none of them has to change because of a shortened one.
  for (const name of names.toSorted((a, b) => Number(fits.test(b)) - Number(fits.test(a)))) give(name);
  return { short: give, full: (short) => fullOf.get(short) ?? short };
}

function shortened(name: string, hashed: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, KEPT_CHARS);
  return `${plain}_${createHash('sha256').update(hashed).digest('hex').slice(0, HASH_DIGITS)}`;
}
