import { lexer, type Token, type Tokens } from 'marked';

// Pages of the documentation, as Markdown. The guides are files, the reference is written from the description of the
// API; both are shown, searched and listed in the same way.

export interface DocsPage {
  /** The path below `/docs`, such as `videos` or `reference/videos`. The path of its Markdown ends in `.md`. */
  readonly slug: string;
  readonly title: string;
  /** The first paragraph in plain text, shortened. */
  readonly description: string;
  readonly group: string;
  /** Links to other pages are relative and end with `.md`. */
  readonly markdown: string;
}

/** A heading and the text below it, up to the next heading. */
export interface Section {
  readonly title: string;
  /** The anchor of the heading in the page; empty for the beginning of the page. */
  readonly anchor: string;
  readonly depth: number;
  readonly text: string;
}

const MAX_DESCRIPTION_CHARS = 160;

/** Creates a page from its Markdown, which begins with its title. Throws if there is no title. */
export function pageOf(slug: string, group: string, markdown: string): DocsPage {
  const tokens = lexer(markdown);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1);
  if (!heading) throw new Error(`The page ${slug} has no title.`);
  const first = tokens.find(({ type }) => type === 'paragraph');
  return {
    slug,
    group,
    markdown,
    title: plainText([heading]),
    description: shortened(first ? plainText([first]) : ''),
  };
}

function shortened(text: string): string {
  if (text.length <= MAX_DESCRIPTION_CHARS) return text;
  const end = text.lastIndexOf('. ', MAX_DESCRIPTION_CHARS);
  if (end > 0) return text.slice(0, end + 1);
  return `${text.slice(0, text.lastIndexOf(' ', MAX_DESCRIPTION_CHARS - 1)).replace(/[,:;]$/, '')}…`;
}

/** Returns the sections of a page in their order. */
export function sectionsOf({ markdown, title }: DocsPage): readonly Section[] {
  const nameHeading = createAnchors();
  const sections: { title: string; anchor: string; depth: number; texts: string[] }[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') {
      const { depth } = token as Tokens.Heading; // Safe: its type says so.
      const text = plainText([token]);
      const anchor = nameHeading(text);
      sections.push({ title: text, anchor: depth === 1 ? '' : anchor, depth, texts: [] });
    } else {
      if (sections.length === 0) sections.push({ title, anchor: '', depth: 1, texts: [] });
      sections.at(-1)?.texts.push(plainText([token]));
    }
  }
  return sections.map(({ texts, ...section }) => ({
    ...section,
    text: texts
      .join('\n')
      .replace(/\n{2,}/g, '\n')
      .trim(),
  }));
}

/** Returns a function that names the headings of one page as Git hosts do, so that the same links work there. */
export function createAnchors(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = used.get(name) ?? 0;
    used.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  };
}

/** Returns the text of these tokens without formatting. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(textOf)
    .join('')
    .replace(/[ \t]+/g, ' ');
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table; // Safe: its type says so, as below.
    return [header, ...rows].map((row) => row.map(({ tokens }) => plainText(tokens)).join(' ')).join('\n');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join('\n');
  if (token.type === 'br' || token.type === 'space') return '\n';
  if (token.type === 'html') return '';
  if ('tokens' in token && token.tokens) return plainText(token.tokens).replaceAll('\n', ' ');
  return 'text' in token && typeof token.text === 'string' ? token.text : '';
}

/** Returns the path of a page of the documentation. */
export function pagePath(slug: string): string {
  return slug === '' ? '/docs' : `/docs/${slug}`;
}

/**
 * Resolves a link of a page, to another page of the documentation or to the outside. A relative link starts at the
 * page's own folder.
 */
export function resolveLink(slug: string, href: string): string {
  const [, file, anchor = ''] = /^([^#]*\.md)?(#.*)?$/.exec(href) ?? [];
  if (file === undefined || /^[a-z]+:/i.test(href)) return href;
  const target = new URL(file, `https://docs.invalid/${slug}`).pathname.replace(/^\/(.*)\.md$/, '$1');
  return pagePath(target) + anchor;
}
