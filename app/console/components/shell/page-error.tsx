'use client';

import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button, buttonClass } from '../ui/button';
import { StatusPage } from '../ui/status-page';
import { paths } from '../../paths';

/** Shown instead of a page that failed. `digest` identifies the error in the log; its message is only logged. */
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
      description="Something went wrong on our side. Your videos, keys and credits are not affected."
    >
      <Button variant="primary" busy={busy} onClick={retry}>
        {!busy && <RotateCw size={14} aria-hidden="true" />} Try again
      </Button>
      <a href={paths.overview()} className={buttonClass({})}>
        Go to the overview
      </a>
      {digest && (
        // One click selects the whole id. Every page loads this file, so it does without a copy button.
        <p className="w-full pt-2 text-xs text-muted">
          Request id <span className="font-mono break-all select-all">{digest}</span>
        </p>
      )}
    </StatusPage>
  );
}
