import type { Mode } from '../../../lib/domain/video';
import { periodParams, type Period } from '../components/list/period';
import { readTexts, someText } from '../components/list/url-filter';
import { apiPaths } from '../api-paths';

// The filters of the log of requests in the page's URL, and the API request that they produce.

export interface RequestFilter extends Period {
  readonly status: string;
  readonly kind: string;
  /** An error code. */
  readonly code: string;
  readonly model: string;
  readonly provider: string;
  /** The id of a key, or `console`. */
  readonly key: string;
  /** The id of a request, message or session, or the start of a video id. */
  readonly search: string;
  /** The id of the last entry on the previous page. */
  readonly after: string;
}

const PARAMS = ['status', 'kind', 'code', 'model', 'provider', 'key', 'period', 'from', 'to', 'q', 'after'] as const;

export function parseRequestFilter(query: URLSearchParams): RequestFilter {
  const { q, ...texts } = readTexts(query, PARAMS);
  return { ...texts, search: q };
}

/** Whether any filter is active. The dates of a custom range and the position in the list do not count. */
export function isNarrowed({ after: _after, from: _from, to: _to, ...filter }: RequestFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Changes to the query that clear every filter. */
export const NO_FILTER: Readonly<Record<string, undefined>> = Object.fromEntries(
  PARAMS.map((name) => [name, undefined]),
);

export function requestsPath(mode: Mode, filter: RequestFilter): string {
  return apiPaths.requests(mode, {
    status: someText(filter.status),
    kind: someText(filter.kind),
    code: someText(filter.code),
    model: someText(filter.model),
    provider: someText(filter.provider),
    key: someText(filter.key),
    search: someText(filter.search),
    after: someText(filter.after),
    ...periodParams(filter),
  });
}
