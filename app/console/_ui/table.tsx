import type { ReactNode } from 'react';
import { classNames } from './class-names';

// A table that fits: dense rows on wide screens; on narrow ones each row becomes a block whose cells name themselves, so
// that nothing has to be scrolled sideways.

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Read out, not shown: a column of buttons. */
  readonly hidden?: boolean;
}

export function Table({ label, columns, children }: { readonly label: string; readonly columns: readonly Column[]; readonly children: ReactNode }) {
  return (
    <table aria-label={label} className="w-full border-collapse text-sm max-lg:block">
      <thead className="max-lg:sr-only">
        <tr>
          {columns.map(({ title, align, hidden }) => (
            <th key={title} scope="col" className={classNames('h-9 border-b border-line bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4', align === 'right' ? 'text-right' : 'text-left')}>
              {hidden ? <span className="sr-only">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">{children}</tbody>
    </table>
  );
}

export function Row({ children }: { readonly children: ReactNode }) {
  return <tr className="relative border-line transition-colors not-last:border-b max-lg:grid max-lg:grid-cols-2 max-lg:gap-x-4 max-lg:gap-y-2.5 max-lg:px-4 max-lg:py-3.5 lg:hover:bg-hover">{children}</tr>;
}

/** `name` stands before the value where there is no heading; `full` takes the whole width there, `corner` its upper right corner. */
export function Cell({
  name,
  align,
  full = false,
  corner = false,
  className,
  children,
}: {
  readonly name?: string;
  readonly align?: 'right';
  readonly full?: boolean;
  readonly corner?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <td className={classNames('min-w-0 lg:h-12 lg:px-3 lg:py-2 lg:first:pl-4 lg:last:pr-4', align === 'right' && 'lg:text-right', full && 'max-lg:col-span-2', corner && 'max-lg:absolute max-lg:top-2 max-lg:right-2', className)}>
      {name && <span className="mb-0.5 block text-2xs font-medium text-muted lg:hidden">{name}</span>}
      {children}
    </td>
  );
}
