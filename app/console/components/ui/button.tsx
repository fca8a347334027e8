import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { buttonClass, type ButtonStyle } from './button-class';

/**
 * A button. While `busy` it has a spinner and ignores clicks. It is not `disabled` then, because it would lose the
 * focus.
 */
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
      {...(busy && { 'aria-busy': true, 'aria-disabled': true, onClick: ignore })}
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}
    >
      {busy && <LoaderCircle size={14} className="animate-spin" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** Prevents the submission of the form. A browser submits by clicking the button, also for the Enter key. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}
