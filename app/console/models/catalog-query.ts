import { priceUnits } from '../../../lib/catalog/price-span';
import type { PriceUnit } from '../../../lib/contract/models';

// The state of the catalog page is only in its URL, so that searches, filters and comparisons can be linked.

/** Multi-select facets: values of one facet are combined with OR, facets with AND. */
export const facetNames = ['output', 'operation', 'input', 'provider', 'resolution', 'audio', 'stability'] as const;
export type FacetName = (typeof facetNames)[number];

export const sorts = ['catalog', 'name', 'price', 'newest'] as const;
export type Sort = (typeof sorts)[number];

export const views = ['table', 'cards', 'compare'] as const;
export type View = (typeof views)[number];

export const MAX_COMPARED = 4;

export interface CatalogQuery {
  readonly text: string;
  readonly facets: Readonly<Record<FacetName, readonly string[]>>;
  /** The minimum of the longest video length that the model supports, in seconds. */
  readonly seconds?: number | undefined;
  readonly unit?: PriceUnit | undefined;
  /** Maximum price per `unit` in dollars, as a plain decimal. */
  readonly most?: string | undefined;
  /** Only models that serve live requests here. */
  readonly live: boolean;
  readonly retired: boolean;
  readonly sort: Sort;
  readonly view: View;
  readonly compare: readonly string[];
}

export function parseCatalogQuery(params: {
  get(name: string): string | null;
  getAll(name: string): string[];
}): CatalogQuery {
  const seconds = Number(params.get('seconds'));
  const unit = priceUnits.find((each) => each === params.get('unit'));
  const most = params.get('most');
  return {
    text: params.get('q') ?? '',
    // Safe: built from all facet names.
    facets: Object.fromEntries(
      facetNames.map((name) => [name, [...new Set(params.getAll(name))]]),
    ) as unknown as CatalogQuery['facets'],
    ...(Number.isInteger(seconds) && seconds > 0 && { seconds }),
    ...(unit && { unit }),
    ...(unit && most !== null && isAmount(most) && { most }),
    live: params.get('live') === '1',
    retired: params.get('retired') === '1',
    sort: sorts.find((each) => each === params.get('sort')) ?? 'catalog',
    view: views.find((each) => each === params.get('view')) ?? 'table',
    compare: [...new Set(params.getAll('compare'))].slice(0, MAX_COMPARED),
  };
}

/** The query string with `?`; empty for the default query. */
export function printCatalogQuery(query: CatalogQuery): string {
  const params = new URLSearchParams();
  if (query.text) params.set('q', query.text);
  for (const name of facetNames) for (const value of query.facets[name]) params.append(name, value);
  if (query.seconds !== undefined) params.set('seconds', String(query.seconds));
  if (query.unit !== undefined) params.set('unit', query.unit);
  if (query.unit !== undefined && query.most !== undefined) params.set('most', query.most);
  if (query.live) params.set('live', '1');
  if (query.retired) params.set('retired', '1');
  if (query.sort !== 'catalog') params.set('sort', query.sort);
  if (query.view !== 'table') params.set('view', query.view);
  for (const id of query.compare) params.append('compare', id);
  return params.size > 0 ? `?${params}` : '';
}

/** The query without filters; sorting, view and comparison stay. */
export function withoutFilters(query: CatalogQuery): CatalogQuery {
  const { sort, view, compare } = query;
  return { ...parseCatalogQuery(new URLSearchParams()), sort, view, compare };
}

/** The number of active filters, without the text search. */
export function countFilters(query: CatalogQuery): number {
  const chosen = facetNames.reduce((sum, name) => sum + query.facets[name].length, 0);
  return (
    chosen +
    (query.seconds === undefined ? 0 : 1) +
    (query.unit === undefined ? 0 : 1) +
    (query.live ? 1 : 0) +
    (query.retired ? 1 : 0)
  );
}

/** Whether the text is a plain decimal number. */
export function isAmount(text: string): boolean {
  return /^\d{1,9}(?:\.\d{1,12})?$/.test(text);
}
