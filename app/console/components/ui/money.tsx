import { classNames } from './class-names';
import { usd } from '../../../../lib/domain/money';
import { Tooltip } from './tooltip';

// How the console writes amounts of dollars. Balances and sums are rounded to cents, and a tooltip has all digits. Prices
// and single charges, the ledger and CSV have all digits. Every digit of an amount has the same size.

/** Rounds to cents, half a cent up: `0.846` → `$0.85`. An amount that is less than half a cent is `<$0.01`. */
export function usdCents(amount: string): string {
  const negative = amount.startsWith('-');
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const cents = BigInt(whole + fraction.padEnd(3, '0').slice(0, 2)) + ((fraction[2] ?? '0') >= '5' ? 1n : 0n);
  if (cents === 0n && /[1-9]/.test(fraction)) return negative ? '>−$0.01' : '<$0.01';
  const digits = cents.toString().padStart(3, '0');
  return usd(`${negative && cents > 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Formats a JSON number of dollars, down to a billionth, without an exponent. */
export function usdFromNumber(amount: number): string {
  return usd(amount.toFixed(9));
}

/** A balance or a sum, to the cent; its tooltip has all digits, if there are more. */
export function Money({ amount, className }: { readonly amount: string; readonly className?: string }) {
  const [rounded, full] = [usdCents(amount), usd(amount)];
  const text = <span className={classNames('tabular-nums', className)}>{rounded}</span>;
  return rounded === full ? text : <Tooltip content={<span className="tabular-nums">{full}</span>}>{text}</Tooltip>;
}

/** A price or a single charge, with all digits. */
export function ExactMoney({ amount, className }: { readonly amount: string; readonly className?: string }) {
  return <span className={classNames('whitespace-nowrap tabular-nums', className)}>{usd(amount)}</span>;
}
