import type { ReactNode } from 'react';
import { classNames } from './class-names';

// A scrollable region must be reachable by keyboard. Not every browser adds it to the tab order, so it has a tabindex
// and an accessible name.
const REACHABLE = { tabIndex: 0 } as const;

/** A scrollable region, named by `label` or by the id of a heading. */
export function ScrollRegion({
  label,
  labelledBy,
  className,
  children,
}: {
  readonly label?: string;
  readonly labelledBy?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <section
      {...REACHABLE}
      {...(label === undefined ? { 'aria-labelledby': labelledBy } : { 'aria-label': label })}
      className={classNames('overflow-auto', className)}
    >
      {children}
    </section>
  );
}
