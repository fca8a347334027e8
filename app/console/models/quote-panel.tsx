import type { ReactNode } from 'react';
import { parsePrice, priceText, type QuoteJson } from '../../../lib/domain/money';
import { usd } from '../components/ui/money';

/** A price with its calculation. `provider` is the provider whose price it is. */
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
                {grouped(line.quantity)} × {unitPrice(line.unit_price)} ={' '}
                <span className="text-ink">{usd(line.amount)}</span>
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

const MILLION = 1_000_000n;
/** Unit prices below this are shown per million, as vendors do. */
const SMALLEST_SHOWN = parsePrice('0.00001');

/** `$0.40`, or `$3.00 / 1M` for very small unit prices. */
function unitPrice(price: string): string {
  const parsed = parsePrice(price);
  return parsed > 0n && parsed < SMALLEST_SHOWN ? `${usd(priceText(parsed * MILLION))} / 1M` : usd(price);
}

/** `1234567.5` as `1,234,567.5`. */
function grouped(quantity: string): string {
  const [whole = '0', fraction] = quantity.split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
}

/** Explains why there is no price. */
export function QuoteError({ message }: { readonly message: string }) {
  return (
    <p role="alert" className="rounded-lg border border-warn/35 bg-warn/8 p-4 text-sm" data-testid="quote">
      {message}
    </p>
  );
}
