import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { calculationLabel } from '../components/price/price-labels';
import { ExactMoney, usd } from '../components/ui/money';
import { NotCharged } from '../components/video/video-cost';
import type { VideoDetails } from '../../../lib/contract/videos';

const MOVEMENTS: Readonly<Record<string, string>> = {
  hold: 'Held',
  capture: 'Charged',
  release: 'Released',
  refund: 'Refunded',
  grant: 'Added',
};

/** From the quote to the charge, with the calculation and the ledger entries. */
export function CostBreakdown({ price }: { readonly price: VideoDetails['price'] }) {
  const { quoted, held, charged, ledger } = price;
  return (
    <div className="flex flex-col gap-4">
      <dl className="flex items-center justify-between gap-2">
        <Step name="Quoted">
          <ExactMoney amount={quoted.total} />
        </Step>
        <ArrowRight size={14} className="mt-4 shrink-0 text-muted" aria-hidden="true" />
        <Step name={held.state === 'open' ? 'Held now' : 'Held'}>
          <ExactMoney amount={held.amount} />
        </Step>
        <ArrowRight size={14} className="mt-4 shrink-0 text-muted" aria-hidden="true" />
        <Step name="Charged">
          {charged === undefined ? (
            <span className="text-muted">Not yet</span>
          ) : held.state === 'released' ? (
            <NotCharged />
          ) : (
            <ExactMoney amount={charged} />
          )}
        </Step>
      </dl>
      <div className="border-t border-line pt-3 text-xs">
        <table aria-label="Price calculation" className="w-full tabular-nums">
          <tbody>
            {quoted.lines.map((line) => (
              <tr key={line.label} className="align-top">
                <td className="py-0.5 pr-3 text-muted">
                  {line.label}
                  <span className="block">{calculationLabel(line)}</span>
                </td>
                <td className="py-0.5 text-right whitespace-nowrap">{usd(line.amount)}</td>
              </tr>
            ))}
            {quoted.lines.length > 1 && (
              <tr className="font-medium">
                <td className="pt-1.5">Total</td>
                <td className="pt-1.5 text-right">{usd(quoted.total)}</td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {ledger.length > 0 && (
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
              {ledger.map((line) => (
                <tr key={line.id}>
                  <td className="py-0.5">
                    {MOVEMENTS[line.kind] ?? line.kind}{' '}
                    <time dateTime={new Date(line.at * 1000).toISOString()} className="text-muted">
                      {new Date(line.at * 1000).toISOString().slice(11, 19)}
                    </time>
                  </td>
                  <td className="py-0.5 text-right">{moved(line.available)}</td>
                  <td className="py-0.5 text-right">{moved(line.held)}</td>
                  <td className="py-0.5 text-right">{moved(line.charged)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function Step({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-base font-semibold">{children}</dd>
    </div>
  );
}

/** A signed amount; zero is a dash. */
function moved(amount: string): string {
  if (amount === '0') return '–';
  return amount.startsWith('-') ? usd(amount) : `+${usd(amount)}`;
}
