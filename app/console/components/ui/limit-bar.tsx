import type { ReactNode } from 'react';
import { parseUsd, usd } from '../../../../lib/domain/money';
import { usdCents } from './money';

/** Returns the used share of a limit in whole percent, at most 100. Rounded down, so that 100 means used up. */
export function usedPercent(spent: string, amount: string): number {
  const [used, all] = [parseUsd(spent), parseUsd(amount)];
  if (used >= all) return 100;
  return Number((used * 100n) / all);
}

/**
 * Shows the dollars spent of a limit, with the amounts, the percentage and a bar. `description` is below, such as when
 * the limit resets.
 */
export function LimitBar({
  label,
  spent,
  amount,
  description,
}: {
  readonly label: string;
  readonly spent: string;
  readonly amount: string;
  readonly description?: ReactNode;
}) {
  const percent = usedPercent(spent, amount);
  const colour = percent >= 100 ? 'bg-bad' : percent >= 80 ? 'bg-warn' : 'bg-accent';
  return (
    <div className="w-44 max-w-full tabular-nums">
      <div
        className="flex items-baseline justify-between gap-2 text-xs whitespace-nowrap"
        title={`${usd(spent)} of ${usd(amount)}`}
      >
        <span>
          {usdCents(spent)} <span className="text-muted">of {usd(amount)}</span>
        </span>
        <span className={percent >= 100 ? 'font-medium text-bad' : 'text-muted'}>{percent} %</span>
      </div>
      <meter aria-label={label} max={100} value={percent} className="sr-only">
        {usd(spent)} of {usd(amount)}
      </meter>
      <div aria-hidden="true" className="mt-1 h-1 overflow-hidden rounded-full bg-line">
        <div className={`h-full rounded-full ${colour}`} style={{ width: `${percent}%` }} />
      </div>
      {description && <div className="mt-1 text-2xs text-muted">{description}</div>}
    </div>
  );
}
