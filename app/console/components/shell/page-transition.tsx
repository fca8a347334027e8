'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
  type ComponentProps,
  type ReactNode,
} from 'react';

// Navigation without a blank page: the old page stays until the new one has loaded. If that takes longer than LATE_MS,
// a skeleton replaces it, for at least MIN_SHOWN_MS so that it does not flash.

const LATE_MS = 150;
const MIN_SHOWN_MS = 300;

interface PageTransition {
  /** Navigates to a page of the console. `title` is the heading of its skeleton. */
  go(href: string, title: string): void;
  /** Title of the page that is still loading after LATE_MS, otherwise undefined. */
  readonly pendingTitle: string | undefined;
}

const PageTransitionContext = createContext<PageTransition>({ go: () => undefined, pendingTitle: undefined });

export function usePageTransition(): PageTransition {
  return useContext(PageTransitionContext);
}

export function PageTransitionProvider({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [title, setTitle] = useState('');
  const late = useLate(pending);
  const transition = useMemo<PageTransition>(
    () => ({
      go(href, titleOfPage) {
        setTitle(titleOfPage);
        startTransition(() => router.push(href));
      },
      pendingTitle: late ? title : undefined,
    }),
    [router, late, title],
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

/** True from LATE_MS after `pending` became true, for at least MIN_SHOWN_MS. */
function useLate(pending: boolean): boolean {
  const [late, setLate] = useState(false);
  const shownAt = useRef(0);
  // Measured from the commit, which is some milliseconds after the state change.
  useEffect(() => {
    if (late) shownAt.current = performance.now();
  }, [late]);
  useEffect(() => {
    if (pending === late) return;
    const waitMs = pending ? LATE_MS : Math.max(0, shownAt.current + MIN_SHOWN_MS - performance.now());
    const timer = window.setTimeout(() => setLate(pending), waitMs);
    return () => window.clearTimeout(timer);
  }, [pending, late]);
  return late;
}
