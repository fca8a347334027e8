'use client';

import { RotateCw, SearchX, TriangleAlert } from 'lucide-react';
import dynamic from 'next/dynamic';
import { Suspense, type ComponentType, type ReactNode } from 'react';
import { ConsoleError } from '../../console-api';
import { Button } from './button';

// What stands where a list would be: nothing yet, nothing that fits, or a fault. Loading has `skeleton.tsx`.

// Beside a request id only: where there is one, the server has answered, and answers for this as well. Should it not, the id stands alone.
const CopyButton = dynamic(() =>
  import('./copy-button').then(
    (module) => module.CopyButton,
    () => () => null,
  ),
);

type Icon = ComponentType<{ size: number; className?: string; 'aria-hidden': 'true' }>;

function Frame({
  icon: Icon,
  title,
  says,
  children,
}: {
  readonly icon: Icon;
  readonly title: string;
  readonly says?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center rounded-xl border border-dashed border-line-strong px-6 py-12 text-center">
      <span
        aria-hidden="true"
        className="mb-4 grid size-10 place-items-center rounded-full border border-line bg-surface text-muted"
      >
        <Icon size={18} aria-hidden="true" />
      </span>
      <p className="text-base font-medium">{title}</p>
      {says && <p className="mt-1 max-w-md text-sm text-muted">{says}</p>}
      {children && <div className="mt-5 flex w-full flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}

/** Nothing there yet: what this list is for, and the one thing to do. */
export function EmptyState(props: {
  readonly icon: Icon;
  readonly title: string;
  readonly says?: ReactNode;
  readonly children?: ReactNode;
}) {
  return <Frame {...props} />;
}

/** The filters leave nothing; `what` is the plural of what is listed. */
export function NoMatch({
  what,
  says,
  onClear,
}: {
  readonly what: string;
  readonly says?: ReactNode;
  onClear(): void;
}) {
  return (
    <Frame icon={SearchX} title={`No ${what} match`} says={says ?? 'Try another word, or take the filters away.'}>
      <Button onClick={onClear}>Clear filters</Button>
    </Frame>
  );
}

/** The list could not be read, and there is nothing older to show. */
export function ListFault({
  error,
  onRetry,
  busy = false,
}: {
  readonly error: unknown;
  onRetry(): void;
  readonly busy?: boolean;
}) {
  const { message, requestId } = faultOf(error);
  return (
    <div
      role="alert"
      className="flex flex-col items-center rounded-xl border border-warn/35 bg-warn/6 px-6 py-10 text-center"
    >
      <TriangleAlert size={20} className="mb-3 text-warn" aria-hidden="true" />
      <p className="max-w-md text-base font-medium">{message}</p>
      {requestId && <RequestId id={requestId} />}
      <Button className="mt-5" busy={busy} onClick={onRetry}>
        {!busy && <RotateCw size={14} aria-hidden="true" />} Retry
      </Button>
    </div>
  );
}

/** Above older figures that are still shown: they could not be refreshed. Nothing without an error. */
export function StaleFault({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  if (error === undefined || error === null) return null;
  const { message, requestId } = faultOf(error);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-warn/35 bg-warn/8 px-4 py-3 text-sm"
    >
      <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-60">
        What you see may be out of date. {message}
        {requestId && <RequestId id={requestId} />}
      </div>
      <Button size="small" onClick={onRetry}>
        <RotateCw size={13} aria-hidden="true" /> Retry
      </Button>
    </div>
  );
}

/** What the operator needs to find the request in the log. */
function RequestId({ id }: { readonly id: string }) {
  return (
    <span className="flex items-center gap-1 font-mono text-xs text-muted">
      <span className="break-all">{id}</span>
      <Suspense>
        <CopyButton text={id} label="Copy the request id" />
      </Suspense>
    </span>
  );
}

function faultOf(error: unknown): { readonly message: string; readonly requestId: string | undefined } {
  if (error instanceof ConsoleError) return { message: error.message, requestId: error.requestId };
  return { message: 'This could not be shown. Try again.', requestId: undefined };
}
