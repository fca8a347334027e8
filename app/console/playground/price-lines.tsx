import type { CreditsJson } from '../../../lib/contract/credits';
import { parseUsd, usdText, usd } from '../../../lib/domain/money';
import type { QuoteJson } from '../../../lib/contract/quotes';
import { calculationLabel } from '../components/price/price-labels';
import { classNames } from '../components/ui/class-names';
import { Money } from '../components/ui/money';
import type { Estimate } from '../components/video-form/estimate';

/** The price calculation and the remaining credits. */
export function PriceLines({
  estimate: { quote },
  credits,
  className,
}: {
  readonly estimate: Estimate;
  readonly credits: CreditsJson;
  readonly className: string;
}) {
  if (!quote) return null;
  const isShort = lacksCredit(quote, credits);
  return (
    <dl className={classNames('flex flex-col gap-1 text-xs tabular-nums', className)}>
      {quote.lines.map((line) => (
        <div key={line.label} className="flex justify-between gap-4">
          <dt className="text-muted">{line.label}</dt>
          <dd className="shrink-0 text-right">
            <span className="text-muted">{calculationLabel(line)} = </span>
            {usd(line.amount)}
          </dd>
        </div>
      ))}
      <div className="flex justify-between gap-4">
        <dt className="text-muted">{isShort ? 'Available' : 'Remaining'}</dt>
        <dd>
          {isShort ? (
            // Shown with all digits: it may be below the price by less than a cent.
            <span className="text-bad">{usd(credits.available)}</span>
          ) : (
            <Money amount={usdText(parseUsd(credits.available) - parseUsd(quote.total))} />
          )}
        </dd>
      </div>
    </dl>
  );
}

export function lacksCredit(quote: Pick<QuoteJson, 'total'>, credits: Pick<CreditsJson, 'available'>): boolean {
  return parseUsd(quote.total) > parseUsd(credits.available);
}
