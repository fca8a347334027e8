import type { ReactNode } from 'react';

/** A framed part of a page with a small heading. */
export function Panel({
  title,
  description,
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = `part-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      {description && <p className="text-xs text-muted">{description}</p>}
      <div className="mt-3.5">{children}</div>
    </section>
  );
}
