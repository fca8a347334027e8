import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { buttonClass, type ButtonStyle } from './button-class';

/** `busy` adds a spinner, and clicks do nothing. The button is not `disabled` then, because that would drop its focus. */
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

/** The browser sends a form with a click on its button, also for the Enter key. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}
