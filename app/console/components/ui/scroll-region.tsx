import type { ReactNode } from 'react';
import { classNames } from './class-names';

// A part that scrolls by itself must be reachable without a mouse. Not every browser gives such a part its place in the tab
// order, so it has one here, and a name with it.
const REACHABLE = { tabIndex: 0 } as const;

/** Scrolls sideways (and down, where it has a height) under its own name: a `label`, or the id of a heading. */
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
