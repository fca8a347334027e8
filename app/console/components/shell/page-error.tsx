'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { buttonClass } from '../ui/button-class';
import { StatusPage } from '../ui/status-page';
import { paths } from '../../paths';

/**
 * Shown instead of a page that failed. Every page loads this file, so it does without icons and other parts.
 * `digest` identifies the error in the log; its message is only logged.
 */
export function PageError({
  digest,
  framed,
  reset,
}: {
  readonly digest: string | undefined;
  readonly framed: boolean;
  reset(): void;
}) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <StatusPage
      framed={framed}
      title="This page could not be shown"
      description="An internal error occurred. Your videos, keys and credits are not affected."
    >
      <button
        type="button"
        disabled={busy}
        aria-busy={busy || undefined}
        onClick={retry}
        className={buttonClass({ variant: 'primary' })}
      >
        Try again
      </button>
      <a href={paths.overview()} className={buttonClass({})}>
        Go to the overview
      </a>
      {digest && (
        // One click selects the whole id, in place of a copy button.
        <p className="w-full pt-2 text-xs text-muted">
          Request id <span className="font-mono break-all select-all">{digest}</span>
        </p>
      )}
    </StatusPage>
  );
}
