import type { UsageJson } from '../../../lib/contract/usage';
import type { Mode } from '../../../lib/domain/video';
import { someText } from '../components/list/url-filter';
import { apiPaths } from '../api-paths';

// The range, the breakdown and the filters of the usage page in its URL, and the API requests that they produce. All
// days are in UTC.

export const RANGES = [
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
  ['month', 'This month'],
  ['last-month', 'Last month'],
  ['12m', 'Last 12 months'],
] as const;

export const DIMENSIONS = [
  ['model', 'Model'],
  ['provider', 'Provider'],
  ['key', 'Key'],
  ['kind', 'Endpoint'],
  ['person', 'Person'],
] as const satisfies readonly (readonly [UsageJson['by'], string])[];

export const INTERVALS = [
  ['day', 'By day'],
  ['week', 'By week'],
  ['month', 'By month'],
] as const satisfies readonly (readonly [UsageJson['interval'], string])[];

export const MEASURES = [
  ['spent', 'Cost'],
  ['requests', 'Requests'],
  ['failed', 'Failures'],
] as const;
export type Measure = (typeof MEASURES)[number][0];

export interface UsageFilter {
  /** One of RANGES, or `dates` with `from` and `to`. */
  readonly range: string;
  readonly from: string;
  readonly to: string;
  readonly by: UsageJson['by'];
  readonly interval: UsageJson['interval'];
  readonly measure: Measure;
  readonly model: string;
  readonly provider: string;
  readonly key: string;
  readonly kind: string;
}

const DAY_MS = 86_400_000;
/** Longer ranges are shown by week unless the URL says otherwise. */
const MAX_DAYS_BY_DAY = 92;

/** Reads the filter of the URL. `today` is the current day in UTC, as an ISO date. */
export function parseUsageFilter(query: URLSearchParams, today: string): UsageFilter {
  const text = (name: string) => query.get(name)?.trim() ?? '';
  const range = text('range') || '30d';
  const { from, to } = range === 'dates' ? { from: text('from'), to: text('to') } : daysOf(range, today);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return {
    range: range === 'dates' || RANGES.some(([name]) => name === range) ? range : '30d',
    from,
    to,
    by: DIMENSIONS.find(([name]) => name === text('by'))?.[0] ?? 'model',
    interval: INTERVALS.find(([name]) => name === text('interval'))?.[0] ?? (days > MAX_DAYS_BY_DAY ? 'week' : 'day'),
    measure: MEASURES.find(([name]) => name === text('measure'))?.[0] ?? 'spent',
    model: text('model'),
    provider: text('provider'),
    key: text('key'),
    kind: text('kind'),
  };
}

function daysOf(range: string, today: string): { readonly from: string; readonly to: string } {
  const todayMs = Date.parse(today);
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1];
  const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const before = (days: number) => ({ from: isoDay(todayMs - (days - 1) * DAY_MS), to: today });
  switch (range) {
    case '7d':
      return before(7);
    case '90d':
      return before(90);
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    case 'last-month':
      return { from: isoDay(Date.UTC(year, month - 1, 1)), to: isoDay(Date.UTC(year, month, 0)) };
    case '12m':
      return { from: isoDay(Date.UTC(year, month - 11, 1)), to: today };
    default:
      return before(30);
  }
}

/** Clears every filter; the range stays. */
export const NO_FILTER = { model: undefined, provider: undefined, key: undefined, kind: undefined } as const;

export function isNarrowed({ model, provider, key, kind }: UsageFilter): boolean {
  return [model, provider, key, kind].some((value) => value !== '');
}

export function usagePath(mode: Mode, filter: UsageFilter, format?: 'csv'): string {
  return apiPaths.usage(mode, {
    from: someText(filter.from),
    to: someText(filter.to),
    by: filter.by,
    interval: filter.interval,
    model: someText(filter.model),
    provider: someText(filter.provider),
    key: someText(filter.key),
    kind: someText(filter.kind),
    format,
  });
}

/**
 * Returns the API path of the performance of models. It omits the key filter, because the performance does not depend
 * on keys.
 */
export function performancePath(mode: Mode, filter: UsageFilter, format?: 'csv'): string {
  return apiPaths.performance(mode, {
    from: someText(filter.from),
    to: someText(filter.to),
    model: someText(filter.model),
    provider: someText(filter.provider),
    format,
  });
}
