import { sectionsOf, type DocsPage, type Section } from './page';

// Finds sections of the documentation. There are few pages, so every search reads all of them.

export interface FoundSection {
  /** The slug of the page. */
  readonly slug: string;
  readonly page: string;
  /** The heading. */
  readonly title: string;
  readonly anchor: string;
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

export interface DocsIndex {
  /** Returns the sections that contain every word, best matches first. */
  find(text: string, limit: number): readonly FoundSection[];
}

interface Entry {
  readonly page: DocsPage;
  readonly section: Section;
  readonly pageTitle: string;
  readonly title: string;
  readonly text: string;
}

const MAX_WORDS = 8;
const EXCERPT_CHARS = 160;

export function createDocsIndex(pages: readonly DocsPage[]): DocsIndex {
  const entries: readonly Entry[] = pages.flatMap((page) =>
    sectionsOf(page).map((section) => ({
      page,
      section,
      pageTitle: page.title.toLowerCase(),
      title: section.title.toLowerCase(),
      text: section.text.toLowerCase(),
    })),
  );
  return {
    find(text, limit) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
      if (words.length === 0) return [];
      return entries
        .map((entry) => ({ entry, score: scoreOf(entry, words) }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, limit)
        .map(({ entry: { page, section, text: lower } }) => ({
          slug: page.slug,
          page: page.title,
          title: section.title,
          anchor: section.anchor,
          excerpt: excerptOf(section.text, lower, words),
        }));
    },
  };
}

/**
 * Returns 0 unless the section contains every word. A word in the heading counts more than one in the page's title or
 * in the text.
 */
function scoreOf({ pageTitle, title, text }: Entry, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const own = (beginsWord(title, word) ? 12 : 0) + (beginsWord(pageTitle, word) ? 4 : 0) + inText(text, word);
    if (own === 0) return 0;
    score += own;
  }
  return score;
}

function beginsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || (at > 0 && /[^\p{L}\p{N}]/u.test(text.charAt(at - 1)));
}

function inText(text: string, word: string): number {
  return Math.min(4, text.split(word).length - 1);
}

function excerptOf(text: string, lower: string, words: readonly string[]): string {
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - 50)));
  const part = text
    .slice(begin, begin + EXCERPT_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  return `${begin > 0 ? '…' : ''}${part}${begin + EXCERPT_CHARS < text.length ? '…' : ''}`;
}
