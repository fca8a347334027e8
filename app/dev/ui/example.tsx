import type { ReactNode } from 'react';

/** One part of the UI, with its file name and its states side by side. */
export function Example({ file, children }: { readonly file: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-mono text-xs text-muted">{file}</h3>
      <div className="flex flex-wrap items-center gap-3 [&>fieldset]:grow [&>label]:grow">{children}</div>
    </div>
  );
}

/** A container for a part that fills its width. */
export function Room({ children }: { readonly children: ReactNode }) {
  return <div className="w-full max-w-md min-w-0">{children}</div>;
}
