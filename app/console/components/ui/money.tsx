import { classNames } from './class-names';

/** A decimal amount of dollars as people read it: `1234.5` → `$1,234.50`; digits beyond the cents stay when they count. */
export function usd(amount: string): string {
  const negative = amount.startsWith('-');
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${negative ? '−' : ''}$${grouped}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** What is below a cent left away: for a balance beside other things, whose exact amount stands where it matters. */
export function wholeCents(amount: string): string {
  return amount.replace(/(\.\d\d)\d+$/, '$1');
}

/** A JSON number of dollars, which may be as small as a billionth, without ever an exponent. */
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
