'use client';

import { useId, useMemo } from 'react';
import type { CatalogEntry } from '../../../lib/contract/models';
import { priceUnits } from '../../../lib/catalog/price-span';
import { operationLabels } from '../components/operation-labels';
import { priceUnitLabels, priceUnitTitles } from '../components/price/price-labels';
import { Facet, FacetBox } from '../components/ui/facet';
import { inputClass } from '../components/ui/input-class';
import { Select } from '../components/ui/select';
import { isAmount, type CatalogQuery, type FacetName } from './catalog-query';
import { audioWords, modalityWords, stabilityWords } from './entry-words';
import { countEntries, countFacet, facetValues, searchEntries } from './select-entries';

type Words = Readonly<Record<string, string>>;

/** In page order. Values are sorted by `order`, otherwise by frequency. */
const FACETS: readonly {
  readonly name: FacetName;
  readonly title: string;
  readonly words?: Words;
  readonly order?: readonly string[];
}[] = [
  { name: 'output', title: 'Output', words: modalityWords, order: ['video', 'text', 'audio'] },
  { name: 'operation', title: 'Capability', words: operationLabels, order: Object.keys(operationLabels) },
  { name: 'input', title: 'Input', words: modalityWords, order: ['text', 'image', 'video', 'audio'] },
  {
    name: 'resolution',
    title: 'Resolution',
    order: ['360p', '480p', '512p', '540p', '720p', '768p', '1080p', '2k', '4k'],
  },
  { name: 'audio', title: 'Audio of videos', words: audioWords, order: Object.keys(audioWords) },
  { name: 'provider', title: 'Provider' },
  { name: 'stability', title: 'Stability', words: stabilityWords, order: Object.keys(stabilityWords) },
];

const LENGTHS = [5, 8, 10, 12, 15];

/** All filters of the list. `onChange` gets the changed part of the query. */
export function CatalogFacets({
  entries,
  query,
  onChange,
}: {
  readonly entries: readonly CatalogEntry[];
  readonly query: CatalogQuery;
  onChange(change: Partial<CatalogQuery>): void;
}) {
  const toggle = (name: FacetName, value: string) => {
    const chosen = query.facets[name];
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    onChange({ facets: { ...query.facets, [name]: next } });
  };
  const found = useMemo(() => searchEntries(entries, query.text), [entries, query.text]);
  const liveCount = countEntries(found, { ...query, text: '', live: true });
  const lengths =
    query.seconds === undefined || LENGTHS.includes(query.seconds) ? LENGTHS : [...LENGTHS, query.seconds];
  const retired = entries.filter(({ active }) => !active).length;
  return (
    <div className="flex flex-col gap-5">
      <fieldset>
        <legend className="sr-only">Availability</legend>
        <FacetBox checked={query.live} onChange={() => onChange({ live: !query.live })} count={liveCount}>
          Available in live mode
        </FacetBox>
        <FacetBox checked={query.retired} onChange={() => onChange({ retired: !query.retired })} count={retired}>
          Show retired
        </FacetBox>
      </fieldset>
      {FACETS.slice(0, 3).map((facet) => (
        <FacetOf key={facet.name} facet={facet} entries={entries} found={found} query={query} onToggle={toggle} />
      ))}
      <PriceFilter query={query} onChange={onChange} />
      <Select
        label="Length of videos"
        shown
        value={query.seconds === undefined ? '' : String(query.seconds)}
        onChange={(value) => onChange({ seconds: value === '' ? undefined : Number(value) })}
        options={[
          { value: '', label: 'Any' },
          ...lengths.map((seconds) => ({ value: String(seconds), label: `${seconds} s or longer` })),
        ]}
      />
      {FACETS.slice(3).map((facet) => (
        <FacetOf key={facet.name} facet={facet} entries={entries} found={found} query={query} onToggle={toggle} />
      ))}
    </div>
  );
}

function FacetOf({
  facet,
  entries,
  found,
  query,
  onToggle,
}: {
  readonly facet: (typeof FACETS)[number];
  readonly entries: readonly CatalogEntry[];
  readonly found: readonly CatalogEntry[];
  readonly query: CatalogQuery;
  onToggle(name: FacetName, value: string): void;
}) {
  const { name, title, words, order } = facet;
  const counts = countFacet(entries, found, query, name);
  // Sorted by the whole catalog, so that the order does not change while filtering.
  const totals = new Map<string, number>();
  for (const entry of entries)
    for (const value of facetValues[name](entry)) totals.set(value, (totals.get(value) ?? 0) + 1);
  const values = [...counts.keys()].toSorted((one, other) =>
    order
      ? order.indexOf(one) - order.indexOf(other)
      : (totals.get(other) ?? 0) - (totals.get(one) ?? 0) || one.localeCompare(other, 'en'),
  );
  const options = values.map((value) => ({ value, label: words?.[value] ?? value, count: counts.get(value) ?? 0 }));
  return (
    <Facet title={title} options={options} chosen={query.facets[name]} onToggle={(value) => onToggle(name, value)} />
  );
}

function PriceFilter({
  query,
  onChange,
}: {
  readonly query: CatalogQuery;
  onChange(change: Partial<CatalogQuery>): void;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <Select
        label="Price"
        shown
        value={query.unit ?? ''}
        onChange={(value) => onChange({ unit: priceUnits.find((unit) => unit === value), most: undefined })}
        options={[
          { value: '', label: 'Any' },
          ...priceUnits.map((unit) => ({ value: unit, label: priceUnitTitles[unit] })),
        ]}
      />
      {query.unit && (
        <div className="flex items-center gap-2">
          <label htmlFor={id} className="text-sm whitespace-nowrap text-muted">
            up to $
          </label>
          {/* Uncontrolled, so that incomplete input such as "0." is kept. */}
          <input
            key={query.unit}
            id={id}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={query.most}
            aria-label={`At most, in dollars per ${priceUnitLabels[query.unit]}`}
            onChange={(event) => onChange({ most: isAmount(event.target.value) ? event.target.value : undefined })}
            className={inputClass}
          />
        </div>
      )}
    </div>
  );
}
