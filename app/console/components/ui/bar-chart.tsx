'use client';

import { useState } from 'react';
import { classNames } from './class-names';

// A chart of stacked bars, drawn as SVG. It is a picture of a table that the page shows as well, so it is hidden from
// screen readers except for its label. Only the geometry is computed with floating point; texts come from the caller.

/** Colours of the series, in order; the last one is for all others. */
const COLOURS = [
  'var(--chart-1)',
  'var(--chart-2)',
  'var(--chart-3)',
  'var(--chart-4)',
  'var(--chart-5)',
  'var(--chart-6)',
  'var(--chart-7)',
] as const;
const OTHERS = 'var(--chart-others)';
/** The maximum number of series with their own colour. If there are more, the rest is combined into one series. */
export const MAX_SERIES = COLOURS.length;

export interface Series {
  readonly name: string;
  /** This series is the sum of the smaller ones that have no colour of their own. */
  readonly isRest?: boolean;
  /** The value at each bar. */
  readonly values: readonly number[];
}

/** The texts of one bar. */
export interface BarDetails {
  readonly title: string;
  readonly total: string;
  readonly lines: readonly { readonly name: string; readonly value: string }[];
}

export interface Bar {
  /** Below the chart, if there is room. */
  readonly label: string;
  /** The period of the bar has not ended, such as the current day. */
  readonly isPartial: boolean;
}

const HEIGHT = 200;
const WIDTH = 1000;
const MAX_LABELS = 8;

export function BarChart({
  label,
  bars,
  series,
  format,
  details,
  onSelect,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  /** Writes a value of the axis. */
  format(value: number): string;
  /** What is shown when the pointer is on a bar. */
  details(bar: number): BarDetails;
  /** Called when a bar is clicked. */
  onSelect?: ((bar: number) => void) | undefined;
}) {
  const [hovered, setHovered] = useState<number>();
  const { top, bottom } = rangeOf(series, bars.length);
  const yOf = (value: number) => ((top - value) / (top - bottom || 1)) * HEIGHT;
  const step = WIDTH / Math.max(1, bars.length);
  const gap = Math.min(6, step * 0.22);
  const every = Math.ceil(bars.length / MAX_LABELS);
  const ticks = [top, top / 2, 0, ...(bottom < 0 ? [bottom] : [])];

  return (
    <figure aria-label={label} className="relative min-w-0" onPointerLeave={() => setHovered(undefined)}>
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="relative w-14 shrink-0 text-2xs text-muted tabular-nums"
          style={{ height: HEIGHT }}
        >
          {ticks.map((tick) => (
            <span key={tick} className="absolute right-0 -translate-y-1/2" style={{ top: yOf(tick) }}>
              {format(tick)}
            </span>
          ))}
        </div>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={classNames('min-w-0 flex-1 overflow-visible', onSelect && 'cursor-pointer')}
          style={{ height: HEIGHT }}
        >
          <defs>
            <pattern id="partial" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="3" height="8" fill="var(--surface)" fillOpacity="0.55" />
            </pattern>
          </defs>
          {ticks.map((tick) => (
            <line
              key={tick}
              x1="0"
              x2={WIDTH}
              y1={yOf(tick)}
              y2={yOf(tick)}
              stroke={tick === 0 ? 'var(--line-strong)' : 'var(--line)'}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {hovered !== undefined && <rect x={hovered * step} y="0" width={step} height={HEIGHT} fill="var(--hover)" />}
          {series.map(({ name, isRest }, place) => (
            <path
              key={`${place} ${name}`}
              d={pathOf(series, place, { step, gap, yOf })}
              fill={isRest ? OTHERS : COLOURS[place % COLOURS.length]}
            />
          ))}
          {bars.map(({ isPartial }, place) => {
            const last = series.reduce((sum, { values }) => sum + Math.max(0, values[place] ?? 0), 0);
            return isPartial && last > 0 ? (
              <rect
                key={place}
                x={place * step + gap / 2}
                width={step - gap}
                y={yOf(last)}
                height={yOf(0) - yOf(last)}
                fill="url(#partial)"
              />
            ) : null;
          })}
          {bars.map((bar, place) => (
            <rect
              key={`${place} ${bar.label}`}
              data-bar={place}
              x={place * step}
              y="0"
              width={step}
              height={HEIGHT}
              fill="transparent"
              onPointerEnter={() => setHovered(place)}
              onClick={() => onSelect?.(place)}
            />
          ))}
        </svg>
      </div>
      <div aria-hidden="true" className="@container/labels mt-1.5 ml-16 flex text-2xs text-muted tabular-nums">
        {bars.map(({ label: text }, place) => (
          <span
            key={`${place} ${text}`}
            className={classNames(
              'min-w-0 flex-1 overflow-visible whitespace-nowrap',
              // On a phone there is room for half of them.
              (place / every) % 2 === 1 && '@max-md/labels:invisible',
            )}
          >
            {place % every === 0 && (bars.length - place >= every || place === 0) ? text : ''}
          </span>
        ))}
      </div>
      {hovered !== undefined && bars[hovered] && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute -top-2 z-10 w-max max-w-64 -translate-y-full rounded-lg bg-ink px-3 py-2 text-xs text-inverse shadow-(--floating)"
          style={
            hovered < bars.length / 2
              ? { left: `calc(4rem + (100% - 4rem) * ${hovered / bars.length})` }
              : { right: `calc((100% - 4rem) * ${1 - (hovered + 1) / bars.length})` }
          }
        >
          <Details {...details(hovered)} />
        </div>
      )}
    </figure>
  );
}

function Details({ title, total, lines }: BarDetails) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 tabular-nums">
      <span className="font-medium">{title}</span>
      <span className="text-right font-medium">{total}</span>
      {lines.map(({ name, value }) => (
        <span key={name} className="contents">
          <span className="truncate opacity-80">{name}</span>
          <span className="text-right opacity-80">{value}</span>
        </span>
      ))}
    </span>
  );
}

/** The names of the series with their colours. */
export function Legend({ series }: { readonly series: readonly Pick<Series, 'name' | 'isRest'>[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {series.map(({ name, isRest }, place) => (
        <li key={`${place} ${name}`} className="flex min-w-0 items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-[3px]"
            style={{ background: isRest ? OTHERS : COLOURS[place % COLOURS.length] }}
          />
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Returns the range of the axis: the largest sum of positive values and the lowest sum of negative ones, both rounded
 * away from zero to a readable number.
 */
function rangeOf(series: readonly Series[], bars: number): { readonly top: number; readonly bottom: number } {
  let [most, least] = [0, 0];
  for (let bar = 0; bar < bars; bar += 1) {
    let [up, down] = [0, 0];
    for (const { values } of series) {
      const value = values[bar] ?? 0;
      if (value > 0) up += value;
      else down += value;
    }
    most = Math.max(most, up);
    least = Math.min(least, down);
  }
  return { top: roundUp(most) || 1, bottom: -roundUp(-least) };
}

function roundUp(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

/** Returns the SVG path of one series, stacked on the series before it. Negative values extend below zero. */
function pathOf(
  series: readonly Series[],
  place: number,
  { step, gap, yOf }: { readonly step: number; readonly gap: number; yOf(value: number): number },
): string {
  const rectangles: string[] = [];
  for (const [bar, value] of (series[place]?.values ?? []).entries()) {
    if (value === 0) continue;
    let base = 0;
    for (const { values } of series.slice(0, place)) {
      const below = values[bar] ?? 0;
      if (below > 0 === value > 0) base += below;
    }
    const [y, end] = [yOf(base), yOf(base + value)];
    rectangles.push(
      `M${(bar * step + gap / 2).toFixed(2)} ${y.toFixed(2)}h${(step - gap).toFixed(2)}V${end.toFixed(2)}h-${(step - gap).toFixed(2)}Z`,
    );
  }
  return rectangles.join('');
}
