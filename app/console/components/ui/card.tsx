import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** A section with a heading; `actions` are on the right of the heading. */
export function Section({
  id,
  title,
  description,
  actions,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-semibold tracking-[-0.01em]">
            {title}
          </h2>
          {description && <p className="text-sm text-muted">{description}</p>}
        </div>
        {actions && <div className="flex items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export function Card({ className, children }: { readonly className?: string; readonly children: ReactNode }) {
  return (
    <div className={classNames('overflow-hidden rounded-xl border border-line bg-surface', className)}>{children}</div>
  );
}
