import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { buttonClass, type ButtonStyle } from './button-class';

/** `busy` adds a spinner and disables the button. */
export function Button({
  variant,
  size,
  busy = false,
  className,
  children,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonStyle & { readonly busy?: boolean }) {
  return (
    <button
      type={type}
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}
    >
      {busy && <LoaderCircle size={14} className="animate-spin" aria-hidden="true" />}
      {children}
    </button>
  );
}
