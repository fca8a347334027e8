'use client';

import { useRef, type ComponentProps } from 'react';

/**
 * A form of a page's first view. What is submitted before the page is interactive is kept and sent as soon as it is: React
 * replays only the `action` of a form. Afterwards `onSubmit` sends it, because an action would empty the fields.
 */
export function Form({
  send,
  children,
  ...rest
}: Omit<ComponentProps<'form'>, 'action' | 'method' | 'onSubmit' | 'ref'> & {
  readonly send: (fields: FormData, form: HTMLFormElement) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      {...rest}
      ref={form}
      action={(fields) => {
        if (form.current) send(fields, form.current);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send(new FormData(event.currentTarget), event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
