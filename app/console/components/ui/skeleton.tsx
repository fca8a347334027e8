import type { CSSProperties, ReactNode } from 'react';
import { classNames } from './class-names';
import { PageTitle } from './page-heading';

// Loading placeholders. Everything inside `LoadingArea` is invisible for the first 150 ms (globals.css), so that fast
// responses do not flash.

/** A grey bar with the size of the text or image that it replaces. */
export function Skeleton({ className, style }: { readonly className?: string; readonly style?: CSSProperties }) {
  return (
    <span
      aria-hidden="true"
      style={style}
      className={classNames('block animate-breathe rounded-md bg-line', className)}
    />
  );
}

/** Announces once what is loading; the bars are hidden from screen readers. `late: false` shows it without delay. */
export function LoadingArea({
  label,
  className,
  late = true,
  children,
}: {
  readonly label: string;
  readonly className?: string;
  readonly late?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <output data-loading aria-label={label} className={classNames('block', late && 'animate-appear-late', className)}>
      {children}
    </output>
  );
}

/** Placeholder rows of a list. */
export function SkeletonRows({
  rows = 6,
  label,
  late = true,
}: {
  readonly rows?: number;
  readonly label: string;
  readonly late?: boolean;
}) {
  return (
    <LoadingArea label={label} late={late} className="overflow-hidden rounded-xl border border-line bg-surface">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="flex h-14 items-center gap-4 border-line px-4 not-last:border-b">
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className="h-3.5 flex-1" style={{ maxWidth: `${34 - (index % 3) * 7}%` }} />
          <span className="flex-1" />
          <Skeleton className="h-3.5 w-16 max-sm:hidden" />
          <Skeleton className="h-3.5 w-14" />
        </span>
      ))}
    </LoadingArea>
  );
}

/** Placeholder of a page: heading and one list, without delay. */
export function SkeletonPage({ title }: { readonly title: string }) {
  return (
    <div className="flex flex-col gap-6">
      <PageTitle>{title}</PageTitle>
      <SkeletonRows label={`Loading ${title}`} late={false} />
    </div>
  );
}
