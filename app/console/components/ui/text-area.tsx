import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names';
import { inputClass } from './input-class';

/**
 * A labelled field for a text of several lines. `error` is announced and replaces `hint`; `actions` are on the right of
 * the label; `code` is for JSON and program output. `className` sets the height.
 */
export function TextArea({
  label,
  hint,
  error,
  actions,
  code = false,
  className,
  'data-field': field,
  ...textarea
}: Omit<ComponentProps<'textarea'>, 'id'> & {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly actions?: ReactNode;
  readonly code?: boolean;
  readonly 'data-field'?: string;
}) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div data-field={field}>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {actions}
      </div>
      <textarea
        id={id}
        {...textarea}
        {...(code && { spellCheck: false, autoComplete: 'off' })}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className={classNames(
          inputClass,
          'h-auto py-2 max-sm:h-auto',
          code ? 'font-mono text-xs leading-5' : 'leading-5',
          className,
        )}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={classNames('mt-1.5 text-xs', error === undefined ? 'text-muted' : 'text-bad')}>
          {note}
        </p>
      )}
      <output className="sr-only">{error}</output>
    </div>
  );
}
