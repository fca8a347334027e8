'use client';

import { useState } from 'react';
import { errorRateOf } from '../../../lib/contract/error-rate';
import type { UsageJson, UsageMeasuresJson } from '../../../lib/contract/usage';
import { Card } from '../components/ui/card';
import { FoldedCard } from '../components/ui/fold';
import { linkClass } from '../components/ui/link-class';
import { Money } from '../components/ui/money';
import { Cell, Row, Table } from '../components/ui/table';
import { periodEnd, periodLabel } from './usage-periods';
import { grouped, percent } from '../components/ui/numbers';

const NUMBERS = [
  { title: 'Requests', align: 'right' },
  { title: 'Error rate', align: 'right' },
  { title: 'Tokens in / out', align: 'right' },
  { title: 'Video, audio', align: 'right' },
  { title: 'Spent', align: 'right' },
] as const;

export function errorRateLabel(measures: UsageMeasuresJson): string {
  const rate = errorRateOf(measures);
  return rate === null ? '–' : percent(rate);
}

/** The totals of each group, and the grand total. */
export function GroupTable({
  usage,
  dimension,
  onNarrow,
}: {
  readonly usage: UsageJson;
  readonly dimension: string;
  onNarrow(id: string): void;
}) {
  return (
    <FoldedCard rows={usage.groups}>
      {(groups) => (
        <Table label={`Usage by ${dimension.toLowerCase()}`} columns={[{ title: dimension }, ...NUMBERS]}>
          {groups.map((group) => (
            <Row key={group.id ?? 'others'}>
              <Cell full className="max-w-72 truncate font-medium">
                {group.id === null || group.id === '' || usage.by === 'person' ? (
                  group.name
                ) : (
                  <button
                    type="button"
                    title={`Show only ${group.name}`}
                    className={`max-w-full truncate text-left ${linkClass}`}
                    onClick={() => onNarrow(group.id ?? '')}
                  >
                    {group.name}
                  </button>
                )}
              </Cell>
              <Numbers of={group} />
            </Row>
          ))}
          <TotalRow of={usage.total} />
        </Table>
      )}
    </FoldedCard>
  );
}

/** The totals of each period with usage, and the grand total: the numbers of the chart. */
export function PeriodTable({
  usage,
  today,
  onSelect,
}: {
  readonly usage: UsageJson;
  readonly today: string;
  onSelect(from: string, to: string): void;
}) {
  const { interval } = usage;
  const [isOpen, setOpen] = useState(false);
  return (
    // The rows are rendered only while it is open: a year by day has thousands of elements, which every filter would
    // change.
    <details className="group/periods" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-max cursor-pointer rounded-md text-sm font-medium underline decoration-line-strong underline-offset-4">
        The numbers of each {interval}
      </summary>
      {isOpen && (
        <Card className="mt-3">
          <Table label={`Usage by ${interval}`} columns={[{ title: 'Time, UTC' }, ...NUMBERS]}>
            {usage.periods.map((period) => (
              <Row key={period.start}>
                <Cell full className="font-medium whitespace-nowrap">
                  <button
                    type="button"
                    className={linkClass}
                    onClick={() => onSelect(period.start, periodEnd(period.start, interval))}
                  >
                    {periodLabel(period.start, interval, true)}
                  </button>
                  {periodEnd(period.start, interval) >= today && <span className="text-muted"> so far</span>}
                </Cell>
                <Numbers of={period} />
              </Row>
            ))}
            <TotalRow of={usage.total} />
          </Table>
        </Card>
      )}
    </details>
  );
}

function TotalRow({ of }: { readonly of: UsageMeasuresJson }) {
  return (
    <Row>
      <Cell full className="font-semibold">
        Total
      </Cell>
      <Numbers of={of} strong />
    </Row>
  );
}

function Numbers({ of, strong = false }: { readonly of: UsageMeasuresJson; readonly strong?: boolean }) {
  const input = of.input_tokens + of.cache_read_tokens + of.cache_write_tokens;
  const quiet = 'whitespace-nowrap text-muted tabular-nums';
  return (
    <>
      <Cell name="Requests" align="right" className={quiet}>
        {grouped(of.requests)}
      </Cell>
      <Cell name="Error rate" align="right" className={quiet}>
        {errorRateLabel(of)}
      </Cell>
      <Cell name="Tokens in / out" align="right" className={quiet}>
        {input + of.output_tokens === 0 ? '–' : `${grouped(input)} / ${grouped(of.output_tokens)}`}
      </Cell>
      <Cell name="Video, audio" align="right" className={quiet}>
        {of.media_seconds === 0 && of.characters === 0
          ? '–'
          : [
              of.media_seconds > 0 && `${grouped(Math.round(of.media_seconds))} s`,
              of.characters > 0 && `${grouped(of.characters)} chars`,
            ]
              .filter(Boolean)
              .join(' · ')}
      </Cell>
      <Cell name="Spent" align="right" className={strong ? 'font-semibold whitespace-nowrap' : 'whitespace-nowrap'}>
        <Money amount={of.spent} />
      </Cell>
    </>
  );
}
