import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** The title of a page that has a layout of its own. Other pages use `PageHeading`. */
export function PageTitle({ children }: { readonly children: ReactNode }) {
  return <h1 className="text-xl font-semibold tracking-[-0.02em] break-words">{children}</h1>;
}

/**
 * The heading of a page: a link back to its list, its title and description, its actions, and the links of its section.
 */
export function PageHeading({
  title,
  chips,
  description,
  actions,
  parent,
  nav,
}: {
  readonly title: ReactNode;
  /** Next to the title, such as a status. */
  readonly chips?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** For a page that is opened from a list: the list, and what this page is called in it. */
  readonly parent?: { readonly title: string; readonly path: string; readonly here: ReactNode };
  /** The links to the other pages of its section. */
  readonly nav?: ReactNode;
}) {
  return (
    <>
      {parent && (
        <nav aria-label="Breadcrumb" className="mb-3 flex min-w-0 items-center gap-1 text-sm text-muted">
          <Link href={parent.path} prefetch={false} className="rounded hover:text-ink">
            {parent.title}
          </Link>
          <ChevronRight size={13} aria-hidden="true" />
          <span className="truncate">{parent.here}</span>
        </nav>
      )}
      <div
        className={classNames(
          'flex flex-wrap items-start justify-between gap-x-6 gap-y-3',
          nav === undefined ? 'mb-5' : 'mb-3',
        )}
      >
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <PageTitle>{title}</PageTitle>
            {chips}
          </div>
          {description !== undefined && (
            <div className="mt-0.5 max-w-2xl text-sm break-words text-muted">{description}</div>
          )}
        </div>
        {actions}
      </div>
      {nav}
    </>
  );
}
