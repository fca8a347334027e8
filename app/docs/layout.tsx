import { Menu } from 'lucide-react';
import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { pagePath } from '../../lib/docs/page';
import { documents } from '../../lib/http/routes';
import { gateway } from '../../lib/runtime';
import { buttonClass } from '../console/components/ui/button-class';
import { Wordmark } from '../console/components/ui/logo';
import { parseTheme, THEME_COOKIE } from '../console/components/ui/theme';
import { ThemeToggle } from '../console/components/ui/theme-toggle';
import { paths } from '../console/paths';
import { DocsNavigation } from './components/docs-navigation';
import { DocsSearch } from './components/docs-search';
import { SampleKeyProvider } from './components/sample-key';
import { docsPaths } from './paths';

/** The frame of the documentation. It is public: it reads no sign-in, and works without JavaScript. */
export default async function DocsLayout({ children }: { readonly children: ReactNode }) {
  const [pages, store] = await Promise.all([documents.pages(gateway()), cookies()]);
  const groups = [...new Set(pages.map(({ group }) => group))].map((title) => ({
    title,
    pages: pages
      .filter(({ group }) => group === title)
      .map(({ slug, title: page }) => ({ path: pagePath(slug), title: page.replace(/: reference$/, '') })),
  }));
  const navigation = <DocsNavigation groups={groups} />;
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-canvas">
        <div className="mx-auto flex h-14 max-w-[88rem] items-center gap-3 px-4 sm:px-6">
          <Link href={docsPaths.index} prefetch={false} aria-label="Patchbay: documentation" className="rounded-lg">
            <Wordmark />
          </Link>
          <span className="text-sm text-muted max-sm:hidden">Docs</span>
          <span className="flex flex-1 justify-end">
            <DocsSearch />
          </span>
          <ThemeToggle initial={parseTheme(store.get(THEME_COOKIE)?.value)} />
          <a href={paths.overview()} className={buttonClass({ size: 'small' }, 'max-sm:hidden')}>
            Console
          </a>
        </div>
      </header>
      <div className="mx-auto flex max-w-[88rem] gap-8 px-4 sm:px-6 max-lg:flex-col max-lg:gap-0">
        <aside className="sticky top-14 max-h-[calc(100dvh-3.5rem)] w-60 shrink-0 overflow-y-auto py-6 max-lg:hidden">
          {navigation}
        </aside>
        <details className="border-b border-line lg:hidden">
          <summary className="flex h-12 items-center gap-2 text-sm font-medium">
            <Menu size={16} aria-hidden="true" /> All pages
          </summary>
          <div className="pt-2 pb-6">{navigation}</div>
        </details>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 pt-7 pb-20 outline-none">
          <SampleKeyProvider>{children}</SampleKeyProvider>
        </main>
      </div>
    </>
  );
}
