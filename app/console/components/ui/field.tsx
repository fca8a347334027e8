import { CircleAlert } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names';
import { inputClass } from './input-class';

/** A labelled text field. `error` is announced and replaces `hint`. */
export function TextField({
  label,
  hint,
  error,
  className,
  endAdornment,
  ...input
}: ComponentProps<'input'> & {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly endAdornment?: ReactNode;
}) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          {...input}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className={classNames(inputClass, endAdornment ? 'pr-11' : undefined)}
        />
        {endAdornment && <div className="absolute inset-y-0 right-0.5 flex items-center">{endAdornment}</div>}
      </div>
      {note && (
        <p
          id={`${id}-note`}
          className={classNames('mt-1.5 flex items-start gap-1.5 text-xs', error ? 'text-bad' : 'text-muted')}
        >
          {error && <CircleAlert size={13} className="mt-0.5 shrink-0" aria-hidden="true" />}
          {note}
        </p>
      )}
    </div>
  );
}

/** A text field for an e-mail address. */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return <TextField type="email" inputMode="email" autoCapitalize="none" spellCheck={false} {...props} />;
}

/** A text field for an amount in dollars. */
export function DollarField(props: ComponentProps<typeof TextField>) {
  return <TextField inputMode="decimal" autoComplete="off" {...props} />;
}

/** An error of the whole form, announced to screen readers when it appears. */
export function FormError({ children }: { readonly children: ReactNode }) {
  return (
    <div
      role="alert"
      className={
        children
          ? 'flex items-start gap-2 rounded-lg border border-bad/30 bg-bad/8 px-3 py-2.5 text-sm text-bad'
          : 'sr-only'
      }
    >
      {children && <CircleAlert size={15} className="mt-0.5 shrink-0" aria-hidden="true" />}
      <span className="min-w-0">{children}</span>
    </div>
  );
}
