import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';
import type { QuoteJson } from '../../../../lib/contract/quotes';
import type { LedgerLineJson } from '../../../../lib/contract/videos';
import { calculationLabel } from '../price/price-labels';
import { linkClass } from '../ui/link-class';
import { ExactMoney } from '../ui/money';
import { usd } from '../../../../lib/domain/money';
import { NotCharged } from './not-charged';

const MOVEMENTS: Readonly<Record<string, string>> = {
  hold: 'Held',
  capture: 'Charged',
  release: 'Released',
  refund: 'Refunded',
  grant: 'Added',
};

export interface CostSteps {
  /** The price before the start, in dollars. */
  readonly quoted?: string | undefined;
  readonly held?: { readonly amount: string; readonly state: 'open' | 'captured' | 'released' } | undefined;
  /** Undefined while it runs. */
  readonly charged: string | undefined;
  /** What the price consists of. */
  readonly calculation: QuoteJson | undefined;
  readonly ledger: readonly LedgerLineJson[];
  /** The URL of the ledger with these entries. */
  readonly ledgerPath: string;
  /** Shown below the steps. */
  readonly note?: ReactNode;
}

/**
 * Shows how the cost of a request came about: from the quote or hold to the charge, with the calculation and the ledger
 * entries.
 */
export function CostBreakdown({ quoted, held, charged, calculation, ledger, ledgerPath, note }: CostSteps) {
  const steps: readonly { readonly name: string; readonly value: ReactNode }[] = [
    ...(quoted === undefined ? [] : [{ name: 'Quoted', value: <ExactMoney amount={quoted} /> }]),
    ...(held
      ? [{ name: held.state === 'open' ? 'Held now' : 'Held', value: <ExactMoney amount={held.amount} /> }]
      : []),
    {
      name: 'Charged',
      value:
        charged === undefined ? (
          <span className="text-muted">Not yet</span>
        ) : charged === '0' ? (
          <NotCharged />
        ) : (
          <ExactMoney amount={charged} />
        ),
    },
  ];
  return (
    <div className="flex flex-col gap-4">
      <dl className="flex items-center justify-between gap-2">
        {steps.map(({ name, value }, place) => (
          <Fragment key={name}>
            {place > 0 && <ArrowRight size={14} className="mt-4 shrink-0 text-muted" aria-hidden="true" />}
            <div>
              <dt className="text-xs text-muted">{name}</dt>
              <dd className="text-base font-semibold">{value}</dd>
            </div>
          </Fragment>
        ))}
      </dl>
      {note && <p className="text-xs text-muted">{note}</p>}
      {calculation && <Calculation of={calculation} />}
      {ledger.length > 0 && <LedgerLines lines={ledger} path={ledgerPath} />}
    </div>
  );
}

function Calculation({ of: { lines, total } }: { readonly of: QuoteJson }) {
  return (
    <div className="border-t border-line pt-3 text-xs">
      <table aria-label="Price calculation" className="w-full tabular-nums">
        <tbody>
          {lines.map((line) => (
            <tr key={line.label} className="align-top">
              <td className="py-0.5 pr-3 text-muted">
                {line.label}
                <span className="block">{calculationLabel(line)}</span>
              </td>
              <td className="py-0.5 text-right whitespace-nowrap">{usd(line.amount)}</td>
            </tr>
          ))}
          {lines.length > 1 && (
            <tr className="font-medium">
              <td className="pt-1.5">Total</td>
              <td className="pt-1.5 text-right">{usd(total)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function LedgerLines({ lines, path }: { readonly lines: readonly LedgerLineJson[]; readonly path: string }) {
  return (
    <div className="border-t border-line pt-3 text-xs">
      <table aria-label="Ledger entries" className="w-full tabular-nums">
        <thead className="text-left text-muted">
          <tr>
            <th scope="col" className="pb-1 font-medium">
              Ledger
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              Available
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              Held
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              Charged
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id} className="align-top">
              <td className="py-0.5">
                {MOVEMENTS[line.kind] ?? line.kind}{' '}
                <time dateTime={new Date(line.at * 1000).toISOString()} className="block text-muted">
                  {new Date(line.at * 1000).toISOString().slice(11, 19)}
                </time>
              </td>
              {[line.available, line.held, line.charged].map((amount, place) => (
                // Amounts have up to nine decimals; they break only where the panel is too narrow.
                <td key={place} className="py-0.5 pl-2 text-right [overflow-wrap:anywhere]">
                  {moved(amount)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Link href={path} prefetch={false} className={`mt-2 inline-block ${linkClass}`}>
        Show in the ledger
      </Link>
    </div>
  );
}

/** Formats a signed amount; zero is a dash. */
function moved(amount: string): string {
  if (amount === '0') return '–';
  return amount.startsWith('-') ? usd(amount) : `+${usd(amount)}`;
}
