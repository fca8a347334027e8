import { priceUnits, type PriceUnit } from '../../../lib/catalog/price-span';

// What the catalog's page shows is in its address, and nowhere else: a link to a search, a filter or a comparison works.

/** Facets of which several values may be chosen; within one any may hold, between them all must. */
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
  /** Makes videos of at least so many seconds. */
  readonly seconds?: number | undefined;
  readonly unit?: PriceUnit | undefined;
  /** Plain decimal dollars for one `unit`. */
  readonly most?: string | undefined;
  /** Only what serves live requests here. */
  readonly live: boolean;
  readonly retired: boolean;
  readonly sort: Sort;
  readonly view: View;
  readonly compare: readonly string[];
}

export function parseCatalogQuery(address: {
  get(name: string): string | null;
  getAll(name: string): string[];
}): CatalogQuery {
  const seconds = Number(address.get('seconds'));
  const unit = priceUnits.find((each) => each === address.get('unit'));
  const most = address.get('most');
  return {
    text: address.get('q') ?? '',
    // Safe: every name of a facet is given.
    facets: Object.fromEntries(
      facetNames.map((name) => [name, [...new Set(address.getAll(name))]]),
    ) as unknown as CatalogQuery['facets'],
    ...(Number.isInteger(seconds) && seconds > 0 && { seconds }),
    ...(unit && { unit }),
    ...(unit && most !== null && isAmount(most) && { most }),
    live: address.get('live') === '1',
    retired: address.get('retired') === '1',
    sort: sorts.find((each) => each === address.get('sort')) ?? 'catalog',
    view: views.find((each) => each === address.get('view')) ?? 'table',
    compare: [...new Set(address.getAll('compare'))].slice(0, MAX_COMPARED),
  };
}

/** The query as an address's, with `?`; empty when nothing was chosen. */
export function printCatalogQuery(query: CatalogQuery): string {
  const address = new URLSearchParams();
  if (query.text) address.set('q', query.text);
  for (const name of facetNames) for (const value of query.facets[name]) address.append(name, value);
  if (query.seconds !== undefined) address.set('seconds', String(query.seconds));
  if (query.unit !== undefined) address.set('unit', query.unit);
  if (query.unit !== undefined && query.most !== undefined) address.set('most', query.most);
  if (query.live) address.set('live', '1');
  if (query.retired) address.set('retired', '1');
  if (query.sort !== 'catalog') address.set('sort', query.sort);
  if (query.view !== 'table') address.set('view', query.view);
  for (const id of query.compare) address.append('compare', id);
  return address.size > 0 ? `?${address}` : '';
}

/** The same without what narrows the list; how it is shown stays. */
export function withoutFilters(query: CatalogQuery): CatalogQuery {
  const { sort, view, compare } = query;
  return { ...parseCatalogQuery(new URLSearchParams()), sort, view, compare };
}

/** How many filters narrow the list, beside the text. */
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

/** A plain decimal of dollars. */
export function isAmount(text: string): boolean {
  return /^\d{1,9}(?:\.\d{1,12})?$/.test(text);
}
