import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from './button';
import { classNames } from './class-names';

/**
 * Says that something could not be loaded, while the rest of the page still works. `className` sets background and
 * position.
 */
export function RetryNotice({
  className,
  retryRef,
  actions,
  onRetry,
  children,
}: {
  readonly className: string;
  readonly retryRef?: Ref<HTMLButtonElement>;
  /** After the button that tries again. */
  readonly actions?: ReactNode;
  onRetry(): void;
  readonly children: ReactNode;
}) {
  return (
    <div
      role="alert"
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-warn/35 px-4 py-3 text-sm',
        className,
      )}
    >
      <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-60">{children}</div>
      <Button size="small" {...(retryRef && { ref: retryRef })} onClick={onRetry}>
        <RotateCw size={13} aria-hidden="true" /> Retry
      </Button>
      {actions}
    </div>
  );
}
