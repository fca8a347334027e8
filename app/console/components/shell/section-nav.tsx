'use client';

import { usePathname } from 'next/navigation';
import { NavLink } from './page-transition';

/** The pages of one section, above their content. */
export function SectionNav({
  label,
  pages,
}: {
  readonly label: string;
  readonly pages: readonly { readonly title: string; readonly path: string }[];
}) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className="mb-6 border-b border-line">
      <ul className="relative -mb-px flex gap-1 overflow-x-auto [scrollbar-width:none]">
        {pages.map(({ title, path }) => (
          <li key={path} ref={pathname === path ? scrollToTab : undefined}>
            <NavLink
              href={path}
              title={title}
              aria-current={pathname === path ? 'page' : undefined}
              className="relative flex h-10 items-center px-3 text-sm font-medium whitespace-nowrap text-muted transition-colors after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 after:rounded-full hover:text-ink focus-visible:-outline-offset-4 aria-[current=page]:text-ink aria-[current=page]:after:bg-accent max-sm:h-11"
            >
              {title}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the list of tabs so that the current one is visible on a narrow screen. Never scrolls the page itself. */
function scrollToTab(tab: HTMLLIElement | null): void {
  const list = tab?.parentElement;
  if (list) list.scrollLeft = tab.offsetLeft + tab.offsetWidth - list.clientWidth;
}
