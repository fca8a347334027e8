'use client';

import type { UsageJson } from '../../../lib/contract/usage';
import { BarChart, Legend, MAX_SERIES, type Series } from '../components/ui/bar-chart';
import { usdCents } from '../components/ui/money';
import { usd } from '../../../lib/domain/money';
import { MEASURES, type Measure } from './usage-filter';
import { allPeriods, periodEnd, periodLabel } from './usage-periods';

/** The maximum number of groups that are listed when the pointer is on a bar. */
const MAX_LINES = 6;

/** The usage as stacked bars. The tables below it have the same numbers. */
export function UsageChart({
  usage,
  measure,
  today,
  onSelect,
}: {
  readonly usage: UsageJson;
  readonly measure: Measure;
  readonly today: string;
  /** Called with the first and last day of a bar that is clicked. */
  onSelect?: ((from: string, to: string) => void) | undefined;
}) {
  const starts = allPeriods(usage);
  const found = new Map(usage.periods.map((period) => [period.start, period]));
  const shown = usage.groups.filter(({ id }) => id !== null).slice(0, MAX_SERIES);
  const isShown = new Set(shown.map(({ id }) => id));
  const rest = usage.groups.filter(({ id }) => !isShown.has(id));
  const valuesOf = (belongs: (id: string | null) => boolean) =>
    starts.map((start) =>
      (found.get(start)?.groups ?? []).reduce(
        (sum, group) => (belongs(group.id) ? sum + Number(group[measure]) : sum),
        0,
      ),
    );
  const series: Series[] = [
    ...shown.map(({ id, name }) => ({ name, values: valuesOf((each) => each === id) })),
    ...(rest.length > 0
      ? [
          {
            name: rest.length === 1 ? (rest[0]?.name ?? '') : `${rest.length} others`,
            isRest: true,
            values: valuesOf((each) => !isShown.has(each)),
          },
        ]
      : []),
  ];
  const title = MEASURES.find(([name]) => name === measure)?.[1] ?? '';
  const write = (text: string | number) =>
    measure === 'spent' ? usd(String(text)) : Number(text).toLocaleString('en');

  return (
    // Not a card, because a card would clip the details of a bar.
    <div className="rounded-xl border border-line bg-surface p-4 sm:p-5">
      <BarChart
        label={`${title} from ${usage.from} to ${usage.to}; the tables below have the numbers`}
        bars={starts.map((start) => ({
          label: periodLabel(start, usage.interval),
          isPartial: periodEnd(start, usage.interval) >= today,
        }))}
        series={series}
        format={(value) =>
          measure === 'spent' ? shortUsd(value) : value.toLocaleString('en', { notation: 'compact' })
        }
        details={(bar) => {
          const start = starts[bar] ?? '';
          const period = found.get(start);
          const groups = [...(period?.groups ?? [])].filter((group) => Number(group[measure]) !== 0);
          groups.sort((one, other) => Number(other[measure]) - Number(one[measure]));
          return {
            title: periodLabel(start, usage.interval, true),
            total: write(period?.[measure] ?? '0'),
            lines: groups.slice(0, MAX_LINES).map((group) => ({
              name: usage.groups.find(({ id }) => id === group.id)?.name ?? '',
              value: measure === 'spent' ? usdCents(group.spent) : write(group[measure]),
            })),
          };
        }}
        onSelect={
          onSelect && starts.length > 1
            ? (bar) => {
                const start = starts[bar];
                if (start !== undefined) onSelect(start, periodEnd(start, usage.interval));
              }
            : undefined
        }
      />
      <div className="mt-4 sm:ml-16">
        <Legend series={series} />
      </div>
    </div>
  );
}

function shortUsd(value: number): string {
  const digits = Math.abs(value) >= 10 || value === 0 ? 0 : Math.abs(value) >= 0.1 ? 2 : 6;
  const text = Math.abs(value).toLocaleString('en', {
    maximumFractionDigits: digits,
    notation: value >= 10_000 ? 'compact' : 'standard',
  });
  return `${value < 0 ? '−' : ''}$${text}`;
}
