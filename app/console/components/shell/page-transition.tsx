'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import {
  createContext,
  useContext,
  useMemo,
  useState,
  useTransition,
  type ComponentProps,
  type ReactNode,
} from 'react';
import { useLate } from '../ui/use-late';

// Navigation without a blank page: the old page stays until the new one has loaded. If that takes long, a
// skeleton replaces it.

const MIN_SHOWN_MS = 300;

interface PageTransition {
  /** Navigates to a page of the console. `title` is the heading of its skeleton. */
  go(href: string, title: string): void;
  /** The page that takes so long to load that its skeleton is shown; otherwise undefined. */
  readonly latePage: { readonly href: string; readonly title: string } | undefined;
}

const PageTransitionContext = createContext<PageTransition>({ go: () => undefined, latePage: undefined });

export function usePageTransition(): PageTransition {
  return useContext(PageTransitionContext);
}

export function PageTransitionProvider({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [next, setNext] = useState<PageTransition['latePage']>();
  const late = useLate(pending, MIN_SHOWN_MS);
  const transition = useMemo<PageTransition>(
    () => ({
      go(href, title) {
        setNext({ href, title });
        startTransition(() => router.push(href));
      },
      latePage: late ? next : undefined,
    }),
    [router, late, next],
  );
  return <PageTransitionContext value={transition}>{children}</PageTransitionContext>;
}

/** A link with a page transition. Modifier clicks open a new tab as usual. */
export function NavLink({
  href,
  title,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'href' | 'title' | 'onNavigate'> & {
  readonly href: string;
  readonly title: string;
}) {
  const { go } = usePageTransition();
  return (
    <Link
      {...rest}
      href={href}
      // Pages are rendered per visit, so prefetching has no use.
      prefetch={false}
      onNavigate={(event) => {
        event.preventDefault();
        go(href, title);
      }}
    />
  );
}
