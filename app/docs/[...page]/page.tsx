import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { pagePath, sectionsOf, type DocsPage } from '../../../lib/docs/page';
import { documents } from '../../../lib/http/routes';
import { gateway } from '../../../lib/runtime';
import { buttonClass } from '../../console/components/ui/button-class';
import { CopyPage } from '../components/copy-page';
import { DocsMarkdown } from '../components/docs-markdown';
import { SampleKeyControl } from '../components/sample-key';
import { hasKeySample } from '../components/sample-text';

interface Props {
  readonly params: Promise<{ readonly page: readonly string[] }>;
}

/** Returns the documentation page at this path. */
const pageOf = cache(async (slug: string): Promise<DocsPage> => {
  const page = (await documents.pages(gateway())).find((each) => each.slug === slug);
  return page ?? notFound();
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title, description, slug } = await pageOf((await params).page.join('/'));
  return {
    title: `${title} · Docs`,
    description,
    alternates: { types: { 'text/markdown': `${pagePath(slug)}.md` } },
  };
}

export default async function DocsPageView({ params }: Props) {
  const page = await pageOf((await params).page.join('/'));
  const markdownPath = `${pagePath(page.slug)}.md`;
  const sections = sectionsOf(page).filter(({ depth }) => depth === 2 || depth === 3);
  return (
    <div className="flex gap-10">
      <article className="min-w-0 max-w-4xl flex-1">
        <div className="mb-5 flex flex-wrap items-center gap-2" data-screen-only>
          <CopyPage path={markdownPath} />
          <a href={markdownPath} className={buttonClass({ variant: 'quiet', size: 'small' })}>
            View as Markdown
          </a>
          {hasKeySample(page.markdown) && <SampleKeyControl />}
        </div>
        <DocsMarkdown slug={page.slug} text={page.markdown} />
      </article>
      {sections.length > 1 && (
        <nav
          aria-label="On this page"
          className="sticky top-20 max-h-[calc(100dvh-6rem)] w-52 shrink-0 self-start overflow-y-auto text-sm max-xl:hidden"
        >
          <div className="mb-2 text-xs font-medium text-muted">On this page</div>
          <ul className="flex flex-col gap-1">
            {sections.map(({ title, anchor, depth }) => (
              <li key={anchor} className={depth === 3 ? 'pl-3' : undefined}>
                <a href={`#${anchor}`} className="block py-0.5 text-muted hover:text-ink">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
