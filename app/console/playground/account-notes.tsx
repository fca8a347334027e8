'use client';

import type { AlertListJson } from '../../../lib/contract/alerts';
import type { Mode } from '../../../lib/domain/video';
import { LowBalanceNote } from '../components/credits/low-balance-note';
import { StaleError } from '../components/shell/request-error';

/** Warnings above the form of one video or a batch: credits are low, or videos or credits could not be refreshed. */
export function AccountNotes({
  mode,
  alerts,
  error,
  onRetry,
}: {
  readonly mode: Mode;
  readonly alerts: AlertListJson;
  readonly error: unknown;
  onRetry(): void;
}) {
  return (
    <>
      <LowBalanceNote mode={mode} initial={alerts} />
      <div className="mb-4 empty:hidden">
        <StaleError error={error} onRetry={onRetry} />
      </div>
    </>
  );
}
