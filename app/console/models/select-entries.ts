import type { CatalogEntry, PriceUnit } from '../../../lib/contract/models';
import { priceUnits } from '../../../lib/catalog/price-span';
import { parsePrice } from '../../../lib/domain/money';
import { operationLabels } from '../components/operation-labels';
import { facetNames, type CatalogQuery, type FacetName } from './catalog-query';

// Filters and sorts the entries, and counts the results of each facet value. Pure functions, so that they are fast and
// testable.

/** The values of an entry for each facet. */
export const facetValues: Readonly<Record<FacetName, (entry: CatalogEntry) => readonly string[]>> = {
  output: (entry) => entry.output,
  operation: (entry) => [entry.operation],
  input: (entry) => entry.input,
  provider: (entry) => entry.providers.map(({ id }) => id),
  resolution: (entry) => entry.video?.resolutions ?? [],
  audio: (entry) => (entry.video ? [entry.video.audio] : []),
  stability: (entry) => [entry.stability],
};

/** The entries that match a query, sorted. */
export function selectEntries(entries: readonly CatalogEntry[], query: CatalogQuery): readonly CatalogEntry[] {
  const words = wordsOf(query);
  return sorted(
    searchEntries(entries, query.text).filter((entry) => holds(entry, query)),
    query,
    words,
  );
}

/** The entries that match a text, ignoring all filters. */
export function searchEntries(entries: readonly CatalogEntry[], text: string): readonly CatalogEntry[] {
  const words = wordsOf({ text });
  if (words.length === 0) return entries;
  return entries.filter((entry) => {
    const names = textOf(entry);
    return words.every((word) => names.includes(word));
  });
}

/** The number of entries that match a query. */
export function countEntries(entries: readonly CatalogEntry[], query: CatalogQuery): number {
  return searchEntries(entries, query.text).filter((entry) => holds(entry, query)).length;
}

function wordsOf({ text }: Pick<CatalogQuery, 'text'>): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Returns, for each value of a facet, the number of results if only that value were selected, which may be 0. `found`
 * are the entries that match the text of the query, computed once for all facets.
 */
export function countFacet(
  entries: readonly CatalogEntry[],
  found: readonly CatalogEntry[],
  query: CatalogQuery,
  name: FacetName,
): ReadonlyMap<string, number> {
  const others = { ...query, facets: { ...query.facets, [name]: [] } };
  const counts = new Map<string, number>();
  // Values that occur only in hidden retired models are not offered.
  for (const entry of entries)
    if (entry.active || query.retired)
      for (const value of facetValues[name](entry)) counts.set(value, counts.get(value) ?? 0);
  for (const entry of found)
    if (holds(entry, others))
      for (const value of facetValues[name](entry)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function holds(entry: CatalogEntry, query: CatalogQuery): boolean {
  if (!entry.active && !query.retired) return false;
  if (query.live && !entry.available) return false;
  if (query.seconds !== undefined && (entry.video?.seconds.at(-1) ?? 0) < query.seconds) return false;
  if (query.unit !== undefined && !holdsPrice(entry, query.unit, query.most)) return false;
  return facetNames.every(
    (name) =>
      query.facets[name].length === 0 || facetValues[name](entry).some((value) => query.facets[name].includes(value)),
  );
}

function holdsPrice({ price }: CatalogEntry, unit: PriceUnit, most: string | undefined): boolean {
  if (price?.unit !== unit) return false;
  return most === undefined || parsePrice(price.lowest) <= parsePrice(most);
}

function textOf(entry: CatalogEntry): string {
  return `${entry.id} ${entry.aliases.join(' ')} ${entry.name} ${entry.family} ${operationLabels[entry.operation]}`.toLowerCase();
}

function sorted(
  entries: readonly CatalogEntry[],
  { sort }: CatalogQuery,
  words: readonly string[],
): readonly CatalogEntry[] {
  switch (sort) {
    case 'name':
      return entries.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
    case 'newest':
      return entries.toSorted((one, other) => other.created - one.created);
    case 'price':
      return entries.toSorted((one, other) => unitRank(one) - unitRank(other) || comparePrices(one, other));
    case 'catalog': {
      const [first] = words;
      if (first === undefined) return entries;
      // Names that start with the text rank first.
      const rank = (entry: CatalogEntry) =>
        [entry.id, entry.name, entry.family, ...entry.aliases].some((name) => name.toLowerCase().startsWith(first))
          ? 0
          : 1;
      return entries.toSorted((one, other) => rank(one) - rank(other));
    }
  }
}

function unitRank({ price }: CatalogEntry): number {
  return price ? priceUnits.indexOf(price.unit) : priceUnits.length;
}

function comparePrices(one: CatalogEntry, other: CatalogEntry): number {
  const difference = parsePrice(one.price?.lowest ?? '0') - parsePrice(other.price?.lowest ?? '0');
  return difference < 0n ? -1 : difference > 0n ? 1 : one.name.localeCompare(other.name, 'en');
}
