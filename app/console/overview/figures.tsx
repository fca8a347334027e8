'use client';

import type { ReactNode } from 'react';
import type { CreditsJson } from '../../../lib/contract/credits';
import type { ActivityJson } from '../../../lib/contract/activity';
import { RefillButton } from '../components/credits/refill-button';
import { NavLink } from '../components/shell/page-transition';
import { Card } from '../components/ui/card';
import { linkClass } from '../components/ui/link-class';
import { Money, usdCents } from '../components/ui/money';
import { usd } from '../../../lib/domain/money';
import { paths } from '../paths';

export interface FiguresProps {
  readonly credits: CreditsJson;
  readonly activity: ActivityJson;
  readonly mayRefill: boolean;
  onRefill(): Promise<void>;
}

/** Available, held and spent credits. */
export function Figures({ credits, activity, mayRefill, onRefill }: FiguresProps) {
  const { running, spent } = activity;

  return (
    <Card>
      <dl className="grid grid-cols-2 xl:grid-cols-[1.25fr_1fr_1fr_1.35fr]">
        <Figure
          title={credits.mode === 'test' ? 'Available test credits' : 'Available credits'}
          amount={credits.available}
          strong
          aside={mayRefill && <RefillButton credits={credits} onRefill={onRefill} />}
        />
        <Figure
          title="Held"
          amount={credits.held}
          description={
            running > 0 ? (
              <NavLink href={paths.ledger({ mode: credits.mode, open: 'true' })} title="Ledger" className={linkClass}>
                {running === 1 ? 'by 1 running request' : `by ${running} running requests`}
              </NavLink>
            ) : (
              'Nothing is running'
            )
          }
        />
        <Figure title="Spent today" amount={spent.today} description="since 00:00 UTC" />
        <Figure
          title="Spent in 30 days"
          amount={spent.last_30_days}
          description={
            <NavLink href={paths.usage({ mode: credits.mode })} title="Usage" className={linkClass}>
              {usdCents(credits.spent)} in total
            </NavLink>
          }
          aside={<Days days={spent.days} />}
        />
      </dl>
    </Card>
  );
}

function Figure({
  title,
  amount,
  description,
  aside,
  strong = false,
}: {
  readonly title: string;
  readonly amount: string;
  readonly description?: ReactNode;
  readonly aside?: ReactNode;
  readonly strong?: boolean;
}) {
  return (
    <div className="relative min-w-0 border-line p-4 max-xl:even:border-l max-xl:[&:nth-child(n+3)]:border-t sm:p-5 xl:not-first:border-l">
      <dt className="truncate text-sm text-muted">{title}</dt>
      <dd
        className={
          strong
            ? 'mt-1 truncate text-2xl leading-9 font-semibold tracking-[-0.025em] max-sm:text-xl max-sm:leading-9'
            : 'mt-1 truncate text-xl leading-9 font-medium tracking-[-0.015em]'
        }
      >
        <Money amount={amount} />
      </dd>
      <dd className="min-h-4.5 truncate text-xs text-muted">{description}</dd>
      {aside && <dd className="max-sm:mt-1.5 sm:absolute sm:right-5 sm:bottom-5">{aside}</dd>}
    </div>
  );
}

/** A bar chart of the last thirty days, today last. */
function Days({ days }: { readonly days: ActivityJson['spent']['days'] }) {
  const amounts = days.map(({ amount }) => Number(amount));
  const most = Math.max(0, ...amounts);
  return (
    <svg viewBox="0 0 119 40" className="h-10 w-[119px] shrink-0 max-sm:hidden">
      <title>{`Spent on each of the last 30 days; at most ${usd(days[amounts.indexOf(most)]?.amount ?? '0')} on one day`}</title>
      {amounts.map((amount, index) => {
        const height = most === 0 || amount <= 0 ? 1.5 : Math.max(2.5, (amount / most) * 40);
        return (
          <rect
            key={days[index]?.day}
            x={index * 4}
            y={40 - height}
            width={3}
            height={height}
            rx={1}
            className={amount > 0 ? 'fill-accent' : 'fill-line-strong'}
          />
        );
      })}
    </svg>
  );
}
