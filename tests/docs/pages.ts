import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/project';

// The README and the pages of `docs/`, and what tests read in them.

export interface DocsPage {
  /** Path from the project's root, such as `docs/videos.md`. */
  readonly name: string;
  readonly text: string;
}

export const docsPages: readonly DocsPage[] = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(path.join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join('docs', name)),
]
  .toSorted()
  .map((name) => ({ name, text: readFileSync(path.join(projectRoot, name), 'utf8') }));

/** The text of a page by its path from the project's root; throws if there is no such page. */
export function docsText(name: string): string {
  const page = docsPages.find((each) => each.name === name);
  if (!page) throw new Error(`There is no page ${name}.`);
  return page.text;
}

export interface CodeBlock {
  /** Such as `sh`, `ts` or `json`; empty for plain text. */
  readonly language: string;
  readonly text: string;
}

export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    text: code,
  }));
}

/** The text below a heading, up to the next one of the same or a higher level. */
export function sectionOf(text: string, title: string): string {
  const [, marks = '', body = ''] = new RegExp(`^(#+) ${title}$\\n([^]*)`, 'm').exec(text) ?? [];
  if (marks === '') throw new Error(`There is no heading "${title}".`);
  const end = body.search(new RegExp(`^#{1,${marks.length}} `, 'm'));
  return end < 0 ? body : body.slice(0, end);
}

/** The cells of every row of every table, without head and rule. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const rules = lines.flatMap((line, at) => (/^\|( *:?-+:? *\|)+$/.test(line) ? [at] : []));
  return lines
    .filter((_line, at) => !rules.includes(at) && !rules.includes(at + 1))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** The names in backticks. */
export function codeWords(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
}
