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

/** The layout of a page: a list; figures above a chart; a form next to its result; an object with its details. */
export type PageShape = 'list' | 'figures' | 'workbench' | 'detail';

/** Shown without delay while a page loads: its heading, and bars in its layout. */
export function SkeletonPage({ title, shape = 'list' }: { readonly title: string; readonly shape?: PageShape }) {
  const label = `Loading ${title}`;
  return (
    <div className="flex flex-col gap-6">
      <PageTitle>{title}</PageTitle>
      {shape === 'list' ? (
        <SkeletonRows label={label} late={false} />
      ) : (
        <LoadingArea label={label} late={false}>
          {shape === 'figures' && <SkeletonFigures />}
          {shape === 'workbench' && (
            <span className="grid gap-5 md:grid-cols-[20rem_minmax(0,1fr)]">
              <SkeletonForm />
              <SkeletonCard className="h-96" />
            </span>
          )}
          {shape === 'detail' && (
            <span className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <SkeletonCard className="h-96" />
              <SkeletonForm />
            </span>
          )}
        </LoadingArea>
      )}
    </div>
  );
}

const CARD = 'rounded-xl border border-line bg-surface p-4 sm:p-5';

function SkeletonCard({ className }: { readonly className: string }) {
  return (
    <span className={classNames(CARD, 'block')}>
      <Skeleton className={className} />
    </span>
  );
}

/** Bars for labels of these widths, each with a bar of the class `value` below it. */
function SkeletonFields({
  widths,
  value,
  className,
}: {
  readonly widths: readonly string[];
  readonly value: string;
  readonly className: string;
}) {
  return (
    <span className={classNames(CARD, className)}>
      {widths.map((width) => (
        <span key={width} className="flex flex-col gap-2.5">
          <Skeleton className={`h-3.5 ${width}`} />
          <Skeleton className={value} />
        </span>
      ))}
    </span>
  );
}

function SkeletonForm() {
  return (
    <SkeletonFields widths={['w-20', 'w-28', 'w-16', 'w-24']} value="h-9 w-full" className="flex flex-col gap-6" />
  );
}

function SkeletonFigures() {
  return (
    <span className="flex flex-col gap-6">
      <SkeletonFields
        widths={['w-24', 'w-16', 'w-20', 'w-28']}
        value="h-6 w-24"
        className="grid grid-cols-2 gap-5 sm:grid-cols-4"
      />
      <SkeletonCard className="h-64" />
    </span>
  );
}
