import { RotateCw, TriangleAlert } from 'lucide-react';
import { Button } from '../_ui/button';
import { ConsoleError } from '../console-api';

/** Says above the last known figures that they could not be refreshed. */
export function LoadFault({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  if (!(error instanceof Error)) return null;
  const requestId = error instanceof ConsoleError ? error.requestId : undefined;
  return (
    <div role="alert" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-warn/35 bg-warn/8 px-4 py-3 text-sm">
      <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        What you see may be out of date. {error.message}
        {requestId && <span className="block font-mono text-xs break-all text-muted">{requestId}</span>}
      </span>
      <Button size="small" onClick={onRetry}>
        <RotateCw size={13} aria-hidden="true" /> Retry
      </Button>
    </div>
  );
}
