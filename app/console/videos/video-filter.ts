import type { Mode } from '../../../lib/domain/video';
import { periodParams, type Period } from '../components/list/period';
import { readTexts, someText } from '../components/list/url-filter';
import { apiPaths } from '../api-paths';

// The filters of the videos list in the page's URL, and the API request that they produce.

export interface VideoFilter extends Period {
  readonly status: string;
  readonly model: string;
  /** The id of a key, or `console`. */
  readonly key: string;
  readonly search: string;
  /** `true`: only favourites. */
  readonly favorite: string;
  /** The id of the last entry on the previous page. */
  readonly after: string;
}

export function parseVideoFilter(query: URLSearchParams): VideoFilter {
  const { q, ...texts } = readTexts(query, [
    'status',
    'model',
    'key',
    'period',
    'from',
    'to',
    'q',
    'favorite',
    'after',
  ]);
  return { ...texts, search: q };
}

/** Whether any filter is active. The page of the list is not a filter. */
export function isNarrowed({ status, model, key, period, search, favorite }: VideoFilter): boolean {
  return [status, model, key, period, search, favorite].some((value) => value !== '');
}

/** Changes to the query that clear every filter. */
export const NO_FILTER = {
  status: undefined,
  model: undefined,
  key: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
  q: undefined,
  favorite: undefined,
  after: undefined,
} as const;

export function searchPath(mode: Mode, filter: VideoFilter): string {
  return apiPaths.videos(mode, {
    status: someText(filter.status),
    model: someText(filter.model),
    key: someText(filter.key),
    search: someText(filter.search),
    favorite: someText(filter.favorite),
    after: someText(filter.after),
    ...periodParams(filter),
  });
}
