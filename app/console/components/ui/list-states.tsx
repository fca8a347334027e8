'use client';

import { SearchX } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { Button } from './button';

// Shown instead of a list: nothing there yet, or nothing that matches the filters. For loading see `skeleton.tsx`, for
// errors `shell/request-error.tsx`.

type Icon = ComponentType<{ size: number; className?: string; 'aria-hidden': 'true' }>;

function Frame({
  icon: Icon,
  title,
  description,
  children,
}: {
  readonly icon: Icon;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center rounded-xl border border-dashed border-line-strong px-6 py-12 text-center">
      <span
        aria-hidden="true"
        className="mb-4 grid size-10 place-items-center rounded-full border border-line bg-surface text-muted"
      >
        <Icon size={18} aria-hidden="true" />
      </span>
      <p className="text-base font-medium">{title}</p>
      {description && <p className="mt-1 max-w-md text-sm text-muted">{description}</p>}
      {children && <div className="mt-5 flex w-full flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}

/** Shown if a list is empty: explains what the list is for and offers one action. */
export function EmptyState(props: {
  readonly icon: Icon;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
}) {
  return <Frame {...props} />;
}

/** Shown if no entry matches the filters. `noun` is plural, such as "keys". */
export function NoMatch({
  noun,
  description,
  onClear,
}: {
  readonly noun: string;
  readonly description?: ReactNode;
  onClear(): void;
}) {
  return (
    <Frame
      icon={SearchX}
      title={`No ${noun} match`}
      description={description ?? 'Try another search term or clear the filters.'}
    >
      <Button onClick={onClear}>Clear filters</Button>
    </Frame>
  );
}
