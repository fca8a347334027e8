'use client';

import { RefreshCw } from 'lucide-react';
import type { CreditsJson } from '../../../../lib/contract/credits';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';
import { useAsyncAction } from '../ui/use-async-action';

/** The balance that a refill of test credits restores, in dollars. */
const FULL_USD = 1_000;

/** A button that refills the test credits. Renders nothing if they are full. An error appears next to the button. */
export function RefillButton({
  credits,
  label = 'Refill',
  onRefill,
}: {
  readonly credits: CreditsJson;
  readonly label?: string;
  onRefill(): Promise<void>;
}) {
  const { busy, error, run } = useAsyncAction('The credits could not be refilled. Try again.');
  if (Number(credits.available) >= FULL_USD) return null;
  const refill = async () => {
    await onRefill();
    toast('The test credits were refilled.');
  };
  return (
    <span className="flex items-center gap-2">
      {error && (
        <span role="alert" className="text-xs text-bad">
          {error}
        </span>
      )}
      <Button
        size="small"
        busy={busy}
        onClick={() => void run(refill)}
        title={`Refills the test credits to $${FULL_USD.toLocaleString('en')}`}
      >
        {!busy && <RefreshCw size={13} aria-hidden="true" />} {label}
      </Button>
    </span>
  );
}
