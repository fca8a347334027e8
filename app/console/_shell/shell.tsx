import Link from 'next/link';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import type { SignedIn } from '../../../lib/accounts/accounts';
import { Wordmark } from '../_ui/logo';
import { parseTheme, THEME_COOKIE } from '../_ui/theme';
import { ThemeToggle } from '../_ui/theme-toggle';
import { paths } from '../paths';
import { AccountMenu } from './account-menu';
import { Navigation } from './navigation';

/** The frame of every page behind the sign-in. */
export async function Shell({ person, children }: { readonly person: SignedIn; readonly children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <>
      <a href="#content" className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-50 focus-visible:rounded-lg focus-visible:bg-ink focus-visible:px-4 focus-visible:py-2 focus-visible:text-sm focus-visible:text-inverse">
        Skip to the content
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-canvas/88 backdrop-blur-md">
        <div className="mx-auto flex h-14 max-w-6xl items-center justify-between gap-3 px-4 sm:px-6">
          <div className="flex min-w-0 items-center gap-3">
            <Link href={paths.overview()} className="block shrink-0 rounded-lg" aria-label="Patchbay: overview">
              <Wordmark />
            </Link>
            <span aria-hidden="true" className="h-5 w-px rotate-12 bg-line-strong max-sm:hidden" />
            <span className="truncate text-sm text-muted max-sm:hidden">{person.orgName}</span>
            <Navigation />
          </div>
          <div className="flex items-center gap-1">
            <ThemeToggle initial={theme} />
            <AccountMenu email={person.email} name={person.name ?? person.email} role={person.role} orgName={person.orgName} />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto max-w-6xl px-4 pt-7 pb-20 outline-none sm:px-6">
        {children}
      </main>
    </>
  );
}
