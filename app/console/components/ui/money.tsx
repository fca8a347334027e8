import { classNames } from './class-names';

/** Formats a decimal dollar amount: `1234.5` → `$1,234.50`. Non-zero digits below a cent are kept. */
export function usd(amount: string): string {
  const negative = amount.startsWith('-');
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${negative ? '−' : ''}$${grouped}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Cuts the amount to whole cents, for summaries. */
export function wholeCents(amount: string): string {
  return amount.replace(/(\.\d\d)\d+$/, '$1');
}

/** Formats a JSON number of dollars, down to a billionth, without an exponent. */
export function usdFromNumber(amount: number): string {
  return usd(amount.toFixed(9));
}

export function Money({ amount, className }: { readonly amount: string; readonly className?: string }) {
  const text = usd(amount);
  const cents = text.indexOf('.') + 3;
  return (
    <span className={classNames('tabular-nums', className)}>
      {text.slice(0, cents)}
      {text.length > cents && <span className="text-[0.72em] text-muted">{text.slice(cents)}</span>}
    </span>
  );
}
