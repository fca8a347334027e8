/** Class names of text inputs and selects. */
export const inputClass =
  'block h-9 w-full min-w-0 rounded-lg border border-control-line/60 bg-surface px-3 text-sm text-ink placeholder:text-muted/80 transition-colors hover:border-control-line focus-visible:border-accent focus-visible:outline-offset-0 max-sm:h-11 aria-invalid:border-bad';
