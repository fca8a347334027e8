import type { ReactNode } from 'react';
import { Card } from './card';
import { CopyButton } from './copy-button';

/** A card of named values; `Fact` is one of them. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <Card className="p-4 sm:px-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">{children}</dl>
    </Card>
  );
}

/** A named value in `Facts`. `wide` takes two columns. */
export function Fact({
  name,
  wide = false,
  children,
}: {
  readonly name: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={wide ? 'col-span-2 min-w-0' : 'min-w-0'}>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** An id with a button that copies it. `isPages` marks the id that the shortcut C copies. */
export function Id({
  id,
  label,
  isPages = false,
}: {
  readonly id: string;
  /** The label of the button. */
  readonly label: string;
  readonly isPages?: boolean;
}) {
  return (
    <span className="-my-1 flex min-w-0 items-center gap-1">
      <code className="truncate font-mono text-2xs" {...(isPages ? { 'data-copy-id': id } : {})}>
        {id}
      </code>
      <CopyButton text={id} label={label} />
    </span>
  );
}
