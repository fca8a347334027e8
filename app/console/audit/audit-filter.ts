import { periodParams, type Period } from '../components/list/period';
import { readTexts, someText } from '../components/list/url-filter';
import { apiPaths } from '../api-paths';

// The filters of the audit log in the page's URL, and the API request that they produce.

export interface AuditPageFilter extends Period {
  /** The id of a person or of a key, or `operator`. */
  readonly actor: string;
  /** The first part of actions, or a whole one. */
  readonly action: string;
  /** The last id of the previous page. */
  readonly after: string;
}

const PARAMS = ['actor', 'action', 'period', 'from', 'to', 'after'] as const;

export function parseAuditPageFilter(query: URLSearchParams): AuditPageFilter {
  return readTexts(query, PARAMS);
}

/** Whether any filter is active; the page does not count. */
export function isNarrowed({ actor, action, period }: AuditPageFilter): boolean {
  return [actor, action, period].some((value) => value !== '');
}

/** Clears every filter. */
export const NO_FILTER: Readonly<Record<string, undefined>> = Object.fromEntries(
  PARAMS.map((name) => [name, undefined]),
);

/** A table has all entries, whichever page is shown. */
export function auditPath(filter: AuditPageFilter, format?: 'csv'): string {
  return apiPaths.auditEntries({
    actor: someText(filter.actor),
    action: someText(filter.action),
    ...periodParams(filter),
    ...(format ? { format } : { after: someText(filter.after) }),
  });
}
