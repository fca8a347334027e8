// The time range of a list in the page's URL, and the parameters of the API that it produces.

export interface Period {
  /** One of PERIODS, or `dates` with `from` and `to`; empty: any time. */
  readonly period: string;
  /** YYYY-MM-DD in UTC; both days are included. */
  readonly from: string;
  readonly to: string;
}

export const PERIODS = [
  ['1h', 'Last hour', 3_600],
  ['24h', 'Last 24 hours', 86_400],
  ['7d', 'Last 7 days', 604_800],
  ['30d', 'Last 30 days', 2_592_000],
] as const;

const DAY_SECONDS = 86_400;

type TimeParams = Readonly<Partial<Record<'created_within' | 'created_from' | 'created_to', string | undefined>>>;

export function periodParams({ period, from, to }: Period): TimeParams {
  const seconds = PERIODS.find(([name]) => name === period)?.[2];
  if (seconds !== undefined) return { created_within: String(seconds) };
  return period === 'dates' ? dateParams({ from, to }) : {};
}

/** Returns the API parameters of a date range. Both days are included; an invalid one is omitted. */
export function dateParams({ from, to }: Pick<Period, 'from' | 'to'>): TimeParams {
  return { created_from: secondOf(from), created_to: secondOf(to, DAY_SECONDS) };
}

/** Returns the Unix time of the first second of a UTC day, plus an offset; undefined for an invalid date. */
function secondOf(day: string, plusSeconds = 0): string | undefined {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : String(atMs / 1000 + plusSeconds);
}
