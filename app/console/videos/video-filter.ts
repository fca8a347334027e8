import type { Mode } from '../../../lib/domain/video';
import { apiPaths } from '../paths';

// The filters of the videos list in the page's URL, and the API request that they produce.

export interface VideoFilter {
  readonly status: string;
  readonly model: string;
  /** The id of a key, or `console`. */
  readonly key: string;
  /** One of PERIODS, or `dates` with `from` and `to`. */
  readonly period: string;
  /** YYYY-MM-DD in UTC; both days are included. */
  readonly from: string;
  readonly to: string;
  readonly search: string;
  /** The last id of the previous page. */
  readonly after: string;
}

export const PERIODS = [
  ['1h', 'Last hour', 3_600],
  ['24h', 'Last 24 hours', 86_400],
  ['7d', 'Last 7 days', 604_800],
  ['30d', 'Last 30 days', 2_592_000],
] as const;

const DAY_SECONDS = 86_400;

export function parseVideoFilter(query: URLSearchParams): VideoFilter {
  const text = (name: string) => query.get(name)?.trim() ?? '';
  return {
    status: text('status'),
    model: text('model'),
    key: text('key'),
    period: text('period'),
    from: text('from'),
    to: text('to'),
    search: text('q'),
    after: text('after'),
  };
}

/** Whether any filter is active; the page does not count. */
export function isNarrowed({ status, model, key, period, search }: VideoFilter): boolean {
  return [status, model, key, period, search].some((value) => value !== '');
}

/** Clears every filter. */
export const NO_FILTER = {
  status: undefined,
  model: undefined,
  key: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
  q: undefined,
  after: undefined,
} as const;

export function searchPath(mode: Mode, filter: VideoFilter): string {
  const some = (value: string) => (value === '' ? undefined : value);
  const seconds = PERIODS.find(([period]) => period === filter.period)?.[2];
  const dates =
    filter.period === 'dates'
      ? { created_from: startOf(filter.from), created_to: startOf(filter.to, DAY_SECONDS) }
      : {};
  return apiPaths.videos(mode, {
    status: some(filter.status),
    model: some(filter.model),
    key: some(filter.key),
    search: some(filter.search),
    after: some(filter.after),
    ...(seconds === undefined ? dates : { created_within: String(seconds) }),
  });
}

/** The first second of a UTC day plus an offset; undefined for an invalid date. */
function startOf(day: string, plusSeconds = 0): string | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : String(at / 1000 + plusSeconds);
}
