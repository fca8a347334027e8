import { EnvironmentText, type CodeValue } from './code-request';

// Prints values as source code. JSON, TypeScript and Python share the string syntax if all invisible and bidirectional
// characters are escaped, so there is one printer with a syntax object per language.

export interface Syntax {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  /** Padding inside the braces of a one-line object. */
  readonly padding: string;
  /** After the last part of a multi-line value. */
  readonly lastComma: '' | ',';
  key(name: string): string;
  text(value: string): string;
  environment(name: string): string;
}

const INDENT = '  ';
/** Objects and lists up to this length are printed on one line. */
const ONE_LINE = 64;
// Control characters, direction marks, separators and joiners, which JSON.stringify does not escape.
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g;

/** Returns the text as a string in double quotes, valid in JSON, TypeScript and Python. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export const typescriptSyntax: Syntax = {
  yes: 'true',
  no: 'false',
  nothing: 'null',
  padding: ' ',
  lastComma: ',',
  // A plain `__proto__` key would set the prototype.
  key: (name) => (name === '__proto__' ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  text: quoted,
  environment: (name) => `process.env.${name}`,
};

export const pythonSyntax: Syntax = {
  yes: 'True',
  no: 'False',
  nothing: 'None',
  padding: '',
  lastComma: ',',
  key: quoted,
  text: quoted,
  environment: (name) => `os.environ[${quoted(name)}]`,
};

const jsonSyntax: Syntax = {
  yes: 'true',
  no: 'false',
  nothing: 'null',
  padding: '',
  lastComma: '',
  key: quoted,
  text: quoted,
  environment: (name) => quoted(`$${name}`),
};

/** JSON for single quotes in a shell: apostrophes are JSON-escaped, variables interrupt the quotes. */
const shellSyntax: Syntax = {
  ...jsonSyntax,
  key: (name) => quoted(name).replaceAll("'", '\\u0027'),
  text: (text) => quoted(text).replaceAll("'", '\\u0027'),
  environment: (name) => `"'"$${name}"'"`,
};

/** Returns formatted JSON for people to read and copy. */
export function printJson(value: CodeValue): string {
  return printValue(value, jsonSyntax, 0);
}

/** Returns JSON for single quotes in a shell. Lines after the first are indented by `depth`. */
export function printShellJson(value: CodeValue, depth: number): string {
  return printValue(value, shellSyntax, depth);
}

/**
 * Prints a value that starts on a line indented by `depth`. The outermost object has one field per line; nested values
 * are on one line if they fit.
 */
export function printValue(value: CodeValue, syntax: Syntax, depth: number): string {
  return printed(value, syntax, depth, false);
}

function printed(value: CodeValue, syntax: Syntax, depth: number, mayStandOnOneLine: boolean): string {
  if (value === null) return syntax.nothing;
  if (typeof value === 'boolean') return value ? syntax.yes : syntax.no;
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value === 'string') return syntax.text(value);
  if (value instanceof EnvironmentText) return syntax.environment(value.name);
  const inside = (part: CodeValue) => printed(part, syntax, depth + 1, true);
  if (isList(value)) return enclosed(value.map(inside), '[', ']', '', syntax, depth, mayStandOnOneLine);
  const fields = Object.entries(value).map(([name, part]) => `${syntax.key(name)}: ${inside(part)}`);
  return enclosed(fields, '{', '}', syntax.padding, syntax, depth, mayStandOnOneLine);
}

function enclosed(
  parts: readonly string[],
  open: string,
  close: string,
  padding: string,
  syntax: Syntax,
  depth: number,
  mayStandOnOneLine: boolean,
): string {
  if (parts.length === 0) return open + close;
  const line = open + padding + parts.join(', ') + padding + close;
  if (mayStandOnOneLine && line.length <= ONE_LINE && !line.includes('\n')) return line;
  const indent = INDENT.repeat(depth + 1);
  return `${open}\n${indent}${parts.join(`,\n${indent}`)}${syntax.lastComma}\n${INDENT.repeat(depth)}${close}`;
}

/** `Array.isArray` that also narrows readonly arrays. */
function isList(value: Exclude<CodeValue, string | number | boolean | null>): value is readonly CodeValue[] {
  return Array.isArray(value);
}
