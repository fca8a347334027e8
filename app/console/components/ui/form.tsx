'use client';

import { useRef, type ComponentProps } from 'react';

/**
 * A form in the first view of a page. React replays a submission from before hydration only through the form's
 * `action`. After hydration `onSubmit` sends the form, because an `action` would empty the fields.
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
