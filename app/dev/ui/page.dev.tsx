import { PageTitle } from '../../console/components/ui/page-heading';
import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { NowProvider } from '../../console/components/ui/now';
import { parseTheme, THEME_COOKIE } from '../../console/components/ui/theme';
import { ThemeToggle } from '../../console/components/ui/theme-toggle';
import { Toaster } from '../../console/components/ui/toast';
import { Gallery } from './gallery';

// Only `npm run dev` has this page: the build does not know the extension `.dev.tsx` (see next.config.mjs).

export const metadata: Metadata = { title: 'UI parts' };

/** The fixed time of the page, so that relative times are the same at every visit. */
const SHOWN_AT_MS = Date.UTC(2026, 10, 22, 12);

export default async function UiPage() {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <NowProvider startMs={SHOWN_AT_MS}>
      <main>
        <header className="flex items-center justify-between gap-4 border-b border-line px-4 py-4 sm:px-8">
          <div>
            <PageTitle>UI parts</PageTitle>
            <p className="text-sm text-muted">
              Every part of <code className="font-mono">app/console/components/ui</code> in its states. The button on
              the right switches between light and dark.
            </p>
          </div>
          <ThemeToggle initial={theme} />
        </header>
        <Gallery />
      </main>
      <Toaster />
    </NowProvider>
  );
}
