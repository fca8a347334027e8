'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { paths } from '../paths';

const pages = [
  { label: 'Overview', path: paths.overview() },
  { label: 'Speech', path: paths.speech() },
];

/** The pages of the console; the one that is open says so to everybody, not by colour alone. */
export function Navigation() {
  const open = usePathname();
  return (
    <nav aria-label="Console" className="flex items-center gap-1">
      {pages.map(({ label, path }) => (
        <Link
          key={path}
          href={path}
          aria-current={open === path ? 'page' : undefined}
          className="rounded-lg px-2.5 py-1.5 text-sm text-muted hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-accent aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-[6px]"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
