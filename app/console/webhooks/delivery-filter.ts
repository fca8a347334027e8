import type { Mode } from '../../../lib/domain/video';
import { periodParams, type Period } from '../components/list/period';
import { readTexts, someText } from '../components/list/url-filter';
import { apiPaths } from '../api-paths';

// The filters of the deliveries in the page's URL, and the API request that they produce.

export interface DeliveryFilter extends Period {
  readonly state: string;
  /** The id of an endpoint. */
  readonly endpoint: string;
  /** The id of a video or of a delivery. */
  readonly search: string;
  /** The id of the last entry on the previous page. */
  readonly after: string;
}

const PARAMS = ['state', 'endpoint', 'period', 'from', 'to', 'q', 'after'] as const;

export function parseDeliveryFilter(query: URLSearchParams): DeliveryFilter {
  const { q, ...texts } = readTexts(query, PARAMS);
  return { ...texts, search: q };
}

/** Whether any filter is active. The page of the list is not a filter. */
export function isNarrowed({ after: _after, from: _from, to: _to, ...filter }: DeliveryFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Changes to the query that clear every filter. */
export const NO_FILTER: Readonly<Record<string, undefined>> = Object.fromEntries(
  PARAMS.map((name) => [name, undefined]),
);

const PAGE_SIZE = '20';

export function deliveriesPath(mode: Mode, filter: DeliveryFilter): string {
  return apiPaths.webhookDeliveries(mode, {
    limit: PAGE_SIZE,
    state: someText(filter.state),
    endpoint_id: someText(filter.endpoint),
    search: someText(filter.search),
    after: someText(filter.after),
    ...periodParams(filter),
  });
}
