'use client';

import { send } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { Button } from '../ui/button';
import { useAsyncAction } from '../ui/use-async-action';

/** A banner on every page of an organisation that is suspended or being deleted. */
export function ClosedBanner({
  suspended,
  deletesAtMs,
  mayRestore,
}: {
  readonly suspended: boolean;
  /** Unix milliseconds. */
  readonly deletesAtMs: number | undefined;
  readonly mayRestore: boolean;
}) {
  const { busy, error, run } = useAsyncAction('The organisation could not be restored. Try again.', 'stay-busy');
  if (!suspended && deletesAtMs === undefined) return null;
  return (
    <output className="flex flex-col gap-2 border-b border-line bg-bad/10 px-4 py-2.5 text-sm sm:px-6 lg:px-8">
      {suspended && (
        <span>
          <strong className="font-semibold">This organisation is suspended.</strong> You can view everything, but
          requests with its keys are refused and this console cannot change anything until the operator lifts the
          suspension.
        </span>
      )}
      {deletesAtMs !== undefined && (
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="min-w-0 flex-1 basis-80">
            <strong className="font-semibold">
              This organisation is erased on{' '}
              <time dateTime={new Date(deletesAtMs).toISOString()}>
                {new Date(deletesAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC
              </time>
              .
            </strong>{' '}
            Until then everything can be read, and nothing can be changed.{' '}
            {mayRestore ? 'You can restore it.' : 'An owner can restore it.'}
          </span>
          {mayRestore && (
            <Button
              size="small"
              busy={busy}
              onClick={() =>
                void run(async () => {
                  await send('DELETE', apiPaths.organizationDeletion());
                  window.location.reload();
                })
              }
            >
              Restore organisation
            </Button>
          )}
          {error && (
            <span role="alert" className="basis-full text-bad">
              {error}
            </span>
          )}
        </span>
      )}
    </output>
  );
}
