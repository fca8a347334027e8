import { Fragment } from 'react';

/** Keys to press, such as `['G', 'K']` one after the other. */
export function Kbd({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {keys.map((key, index) => (
        <Fragment key={index}>
          {index > 0 && <span className="sr-only"> then </span>}
          <kbd className="inline-grid h-5 min-w-5 place-items-center rounded border border-line bg-canvas px-1.5 font-sans text-2xs font-medium text-muted">
            {key}
          </kbd>
        </Fragment>
      ))}
    </span>
  );
}
