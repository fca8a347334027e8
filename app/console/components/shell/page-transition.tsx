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

// From page to page without a blank moment: the old page stays until the new one is here, and gives way to a skeleton only
// when that takes longer than a blink. Once a skeleton is seen, it stays long enough to be no flash.

const LATE_MS = 150;
const MIN_SHOWN_MS = 300;

interface PageTransition {
  /** Goes to a page of the console; `title` heads the skeleton while it is fetched. */
  go(href: string, title: string): void;
  /** The title of the page that is late, or undefined. */
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

/** A link of the frame. A click with a modifier opens a tab, as everywhere. */
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
      // What is behind is made for each visit, so there is nothing to fetch ahead.
      prefetch={false}
      onNavigate={(event) => {
        event.preventDefault();
        go(href, title);
      }}
    />
  );
}

/** True from 150 ms after `pending` began, and then for at least 300 ms. */
function useLate(pending: boolean): boolean {
  const [late, setLate] = useState(false);
  const shownAt = useRef(0);
  // From when it is really there, which is some milliseconds after it was decided.
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
