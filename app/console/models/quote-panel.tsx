import type { ReactNode } from 'react';
import type { QuoteJson } from '../../../lib/contract/quotes';
import { calculationLabel } from '../components/price/price-labels';
import { usd } from '../../../lib/domain/money';

/** A price with its calculation. `provider` is the provider that charges it. */
export function QuotePanel({
  quote,
  provider,
  note,
}: {
  readonly quote: QuoteJson;
  readonly provider: string;
  readonly note?: ReactNode;
}) {
  return (
    <div className="rounded-lg border border-line bg-sunken p-4" data-testid="quote">
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-sm text-muted">Price</span>
        <output
          className="text-2xl font-semibold tracking-[-0.02em] tabular-nums"
          aria-label="Price"
          data-total={quote.total}
        >
          {usd(quote.total)}
        </output>
      </div>
      {quote.lines.length > 0 && (
        <ul className="mt-2 space-y-1 border-t border-line pt-2 text-xs text-muted">
          {quote.lines.map((line) => (
            <li key={line.label} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="inline-block first-letter:uppercase">{line.label}</span>
              <span className="tabular-nums">
                {calculationLabel(line)} = <span className="text-ink">{usd(line.amount)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-xs text-muted">
        Price of <span className="font-mono">{provider}</span>. {note}
      </p>
    </div>
  );
}

/** Explains why there is no price. */
export function QuoteError({ message }: { readonly message: string }) {
  return (
    <p role="alert" className="rounded-lg border border-warn/35 bg-warn/8 p-4 text-sm" data-testid="quote">
      {message}
    </p>
  );
}
