import { readTexts, someText } from '../components/list/url-filter';
import { apiPaths } from '../api-paths';

// The filters of the organisations in the page's URL, and the API request that they produce.

const PARAMS = ['q', 'state', 'after'] as const;
export type OrganizationPageFilter = Readonly<Record<(typeof PARAMS)[number], string>>;

export function parseOrganizationFilter(query: URLSearchParams): OrganizationPageFilter {
  return readTexts(query, PARAMS);
}

/** Whether any filter is active. The page of the list is not a filter. */
export function isNarrowed({ q, state }: OrganizationPageFilter): boolean {
  return q !== '' || state !== '';
}

/** Changes to the query that clear every filter. */
export const NO_FILTER: Readonly<Record<string, undefined>> = Object.fromEntries(
  PARAMS.map((name) => [name, undefined]),
);

/** Returns the API path of the organisations, newest first. */
export function organizationsPath({ q, state, after }: OrganizationPageFilter): string {
  return apiPaths.installedOrganizations({
    order: 'desc',
    search: someText(q),
    state: someText(state),
    after: someText(after),
  });
}
