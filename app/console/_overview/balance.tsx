'use client';

import { useState } from 'react';
import type { CreditsJson } from '../../../lib/accounts/accounts';
import { Button } from '../_ui/button';
import { Card } from '../_ui/card';
import { Money } from '../_ui/money';
import { notify } from '../_ui/notices';
import { send } from '../console-api';
import { apiPaths } from '../paths';

const FULL_USD = 1_000;

export function Balance({ credits, mayRefill, onRefilled }: { readonly credits: CreditsJson; readonly mayRefill: boolean; onRefilled(credits: CreditsJson): void }) {
  const [busy, setBusy] = useState(false);

  async function refill() {
    setBusy(true);
    try {
      onRefilled(await send<CreditsJson>('POST', apiPaths.refillCredits()));
    } catch (error) {
      notify(error instanceof Error ? error.message : 'Refilling did not work. Try again.');
    }
    setBusy(false);
  }

  return (
    <Card>
      <dl className="grid grid-cols-2 sm:grid-cols-[1.4fr_1fr_1fr]">
        <div className="flex items-end justify-between gap-3 p-5 max-sm:col-span-2">
          <div>
            <dt className="text-sm text-muted">Available {credits.mode === 'test' ? 'test credits' : 'credits'}</dt>
            <dd className="mt-1 text-[1.75rem] leading-9 font-semibold tracking-[-0.025em]">
              <Money amount={credits.available} />
            </dd>
          </div>
          {mayRefill && Number(credits.available) < FULL_USD && (
            <Button size="small" busy={busy} onClick={() => void refill()} title={`Fills the test credits up to $${FULL_USD.toLocaleString('en')}`}>
              Refill
            </Button>
          )}
        </div>
        <Figure title="Held by running jobs" amount={credits.held} />
        <Figure title="Spent so far" amount={credits.spent} />
      </dl>
    </Card>
  );
}

function Figure({ title, amount }: { readonly title: string; readonly amount: string }) {
  return (
    <div className="border-line p-5 max-sm:border-t max-sm:odd:border-l sm:border-l">
      <dt className="text-sm text-muted">{title}</dt>
      <dd className="mt-1 text-xl leading-9 font-medium tracking-[-0.015em]">
        <Money amount={amount} />
      </dd>
    </div>
  );
}
