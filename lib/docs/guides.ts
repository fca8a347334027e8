import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pageOf, type DocsPage } from './page';

// The guides for users and operators: files in the folder `docs`, which is a part of every installation.

/** The groups with the names of their files, in the order in which they are shown. */
export const guideGroups = {
  'Use the API': [
    'api',
    'videos',
    'messages',
    'speech',
    'client',
    'cli',
    'mcp',
    'catalog',
    'webhooks',
    'errors',
    'limits',
    'migrating',
  ],
  'Manage an organisation': ['management'],
  'Run Patchbay': ['configuration', 'catalog-file', 'operating', 'observability', 'performance'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The base URL in the samples of the files. */
const SAMPLE_URL = 'http://127.0.0.1:3000';

const shown: ReadonlySet<string> = new Set(Object.values(guideGroups).flat());

export interface Guides {
  /** Returns all guides in their order. The files are read only once. */
  list(): Promise<readonly DocsPage[]>;
}

/** Creates the guides in `directory`, with samples that call the installation at `baseUrl`. */
export function createGuides({ directory, baseUrl }: { readonly directory: string; readonly baseUrl: string }): Guides {
  let pages: Promise<readonly DocsPage[]> | undefined;

  async function read(): Promise<readonly DocsPage[]> {
    const named = Object.entries(guideGroups).flatMap(([group, slugs]) => slugs.map((slug) => ({ group, slug })));
    return Promise.all(
      named.map(async ({ group, slug }) => {
        const text = await readFile(path.join(directory, `${slug}.md`), 'utf8');
        return pageOf(slug, group, shownText(text, baseUrl));
      }),
    );
  }

  return {
    list() {
      pages ??= read().catch((error: unknown) => {
        // Not kept: a later request may succeed.
        pages = undefined;
        throw error;
      });
      return pages;
    },
  };
}

/**
 * Returns a file as a page shows it: samples call this installation, and links to files that are not shown become plain
 * text.
 */
function shownText(text: string, baseUrl: string): string {
  return text
    .split(/^(```[^]*?^```)$/m)
    .map((part, index) => (index % 2 === 1 ? part.replaceAll(SAMPLE_URL, baseUrl) : withoutOtherLinks(part)))
    .join('');
}

function withoutOtherLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, text: string, href: string) => {
    if (/^(?:https?:|mailto:|#|\/)/.test(href)) return link;
    const name = /^([\w-]+)\.md(?:#.*)?$/.exec(href)?.[1];
    return name !== undefined && shown.has(name) ? link : text;
  });
}
