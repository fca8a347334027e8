import type { ReactNode } from 'react';
import { classNames } from './class-names';

// A responsive table: rows if there is room, otherwise one block per row with labelled cells, so that it never scrolls
// sideways. A container query decides, because a sidebar may take part of the window.

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Hides the heading visually, for a column of buttons. */
  readonly hidden?: boolean;
}

export function Table({
  label,
  columns,
  children,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}) {
  return (
    <div className="@container/table">
      <table aria-label={label} className="w-full border-collapse text-sm @max-4xl/table:block">
        <thead className="@max-4xl/table:sr-only">
          <tr>
            {columns.map(({ title, align, hidden }) => (
              <th
                key={title}
                scope="col"
                className={classNames(
                  'h-9 border-b border-line bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4',
                  align === 'right' ? 'text-right' : 'text-left',
                )}
              >
                {hidden ? <span className="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="@max-4xl/table:block">{children}</tbody>
      </table>
    </div>
  );
}

export function Row({ children }: { readonly children: ReactNode }) {
  return (
    <tr className="group/row relative border-line transition-colors not-last:border-b @max-4xl/table:grid @max-4xl/table:grid-cols-2 @max-4xl/table:gap-x-4 @max-4xl/table:gap-y-2.5 @max-4xl/table:px-4 @max-4xl/table:py-3.5 @4xl/table:hover:bg-hover">
      {children}
    </tr>
  );
}

/**
 * A cell of the table. In the block layout `name` is its label, `full` takes the whole width, and `corner` puts it into
 * the upper right corner.
 */
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
    <td
      className={classNames(
        'min-w-0 @4xl/table:h-12 @4xl/table:px-3 @4xl/table:py-2 @4xl/table:first:pl-4 @4xl/table:last:pr-4',
        align === 'right' && '@4xl/table:text-right',
        full && '@max-4xl/table:col-span-2',
        corner && '@max-4xl/table:absolute @max-4xl/table:top-2 @max-4xl/table:right-2',
        className,
      )}
    >
      {name && <span className="mb-0.5 block text-2xs font-medium text-muted @4xl/table:hidden">{name}</span>}
      {children}
    </td>
  );
}
