import Link from 'next/link';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

export interface SegmentedLink {
  readonly href: string;
  readonly label: ReactNode;
  readonly current: boolean;
}

/** A choice that lives in the address: each part is a link, so Back and "open in a new tab" do what they say. */
export function SegmentedLinks({ label, links }: { readonly label: string; readonly links: readonly SegmentedLink[] }) {
  return (
    <nav aria-label={label} className="inline-flex rounded-lg border border-line bg-sunken p-0.5">
      {links.map(({ href, label: text, current }) => (
        <Link
          key={href}
          href={href}
          // What is behind is made for each visit, so there is nothing to fetch ahead.
          prefetch={false}
          aria-current={current ? 'page' : undefined}
          className={classNames(
            'inline-flex h-8 min-w-16 items-center justify-center gap-2 rounded-md px-3 text-sm font-medium transition-colors max-sm:h-10',
            current ? 'bg-raised text-ink shadow-[0_0_0_1px_var(--line),0_1px_2px_oklch(0_0_0/0.06)]' : 'text-muted hover:text-ink',
          )}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
