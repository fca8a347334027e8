'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

export interface NavigationGroup {
  readonly title: string;
  readonly pages: readonly { readonly path: string; readonly title: string }[];
}

/** All pages of the documentation. The open one has `aria-current`. */
export function DocsNavigation({ groups }: { readonly groups: readonly NavigationGroup[] }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Documentation" className="flex flex-col gap-6">
      {groups.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <div className="mb-1.5 px-2 text-xs font-medium text-muted">{title}</div>
          <ul className="flex flex-col gap-0.5">
            {pages.map(({ path, title: page }) => (
              <li key={path}>
                <Link
                  href={path}
                  prefetch={false}
                  aria-current={pathname === path ? 'page' : undefined}
                  className="block rounded-lg px-2 py-1.5 text-sm text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink max-lg:py-2.5"
                >
                  {page}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
