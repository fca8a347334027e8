'use client';

import { RotateCw, TriangleAlert } from 'lucide-react';
import dynamic from 'next/dynamic';
import { Suspense } from 'react';
import { ApiError, PatchbayError } from '../../../../lib/client/errors';
import { Button } from '../ui/button';
import { RetryNotice } from '../ui/retry-notice';

// Errors of requests to the console API, with the request id where the server sent one.

// Shown only next to a request id. An id means that the server has answered, so it can most likely serve this chunk
// too; if not, the id is shown without the button.
const CopyButton = dynamic(() =>
  import('../ui/copy-button').then(
    (module) => module.CopyButton,
    () => () => null,
  ),
);

/** Shown if the data could not be loaded and there is no older data to show. */
export function ListError({
  error,
  onRetry,
  busy = false,
}: {
  readonly error: unknown;
  onRetry(): void;
  readonly busy?: boolean;
}) {
  const { message, requestId } = describe(error);
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

/** Shown above data that could not be refreshed. Renders nothing without an error. */
export function StaleError({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  if (error === undefined || error === null) return null;
  const { message, requestId } = describe(error);
  return (
    <RetryNotice className="bg-warn/8" onRetry={onRetry}>
      This data may be out of date. {message}
      {requestId && <RequestId id={requestId} />}
    </RetryNotice>
  );
}

/** Shows the request id, by which the operator finds the request in the log. */
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

function describe(error: unknown): { readonly message: string; readonly requestId: string | undefined } {
  if (error instanceof PatchbayError)
    return { message: error.message, requestId: error instanceof ApiError ? error.requestId : undefined };
  return { message: 'The data could not be loaded. Try again.', requestId: undefined };
}
