import { periodParams, type Period } from '../components/list/period';
import { readTexts, someText } from '../components/list/url-filter';
import { apiPaths } from '../api-paths';

// The filters of the audit log in the page's URL, and the API request that they produce.

export interface AuditPageFilter extends Period {
  /** The id of a person or of a key, or `operator`. */
  readonly actor: string;
  /** A whole action such as `key.created`, or only its first part. */
  readonly action: string;
  /** The id of the last entry on the previous page. */
  readonly after: string;
}

const PARAMS = ['actor', 'action', 'period', 'from', 'to', 'after'] as const;

export function parseAuditPageFilter(query: URLSearchParams): AuditPageFilter {
  return readTexts(query, PARAMS);
}

/** Whether any filter is active. The page of the list is not a filter. */
export function isNarrowed({ actor, action, period }: AuditPageFilter): boolean {
  return [actor, action, period].some((value) => value !== '');
}

/** Changes to the query that clear every filter. */
export const NO_FILTER: Readonly<Record<string, undefined>> = Object.fromEntries(
  PARAMS.map((name) => [name, undefined]),
);

/** Returns the API path of the entries. A CSV file has all of them, whichever page is shown. */
export function auditPath(filter: AuditPageFilter, format?: 'csv'): string {
  return apiPaths.auditEntries({
    actor: someText(filter.actor),
    action: someText(filter.action),
    ...periodParams(filter),
    ...(format ? { format } : { after: someText(filter.after) }),
  });
}
