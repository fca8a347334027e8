'use client';

import { usePathname } from 'next/navigation';
import { destinationsOf, isOpen } from './destinations';
import { NavLink } from './page-transition';

/** The navigation of the console. The current page has `aria-current`, not only a colour. */
export function Navigation({ isOperator, onGo }: { readonly isOperator: boolean; onGo?(): void }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Console">
      <ul className="flex flex-col gap-0.5">
        {destinationsOf(isOperator).map((destination) => {
          const { label, path, icon: Icon, key } = destination;
          const open = isOpen(destination, pathname);
          return (
            <li key={path}>
              <NavLink
                href={path}
                title={label}
                onClick={() => onGo?.()}
                aria-current={open ? 'page' : undefined}
                aria-keyshortcuts={`g ${key}`}
                className="group relative flex h-8 items-center gap-2.5 rounded-lg px-2 text-sm font-medium text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink max-lg:h-11 max-lg:text-base"
              >
                <Icon size={16} aria-hidden="true" className="shrink-0 group-aria-[current=page]:text-accent" />
                {label}
                {open && (
                  <span aria-hidden="true" className="absolute inset-y-1.5 -left-3 w-0.5 rounded-full bg-accent" />
                )}
              </NavLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
