'use client';

import { LayoutGrid, List, SlidersHorizontal } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import useSWR from 'swr';
import type { CatalogEntry, CatalogEntryListJson } from '../../../lib/contract/models';
import { Button } from '../components/ui/button';
import { StaleError } from '../components/shell/request-error';
import { NoMatch } from '../components/ui/list-states';
import { SearchField } from '../components/ui/search-field';
import { Select } from '../components/ui/select';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { CatalogFacets } from './catalog-facets';
import { CARDS_PER_PART, listParts, type ListHandle } from './catalog-list';
import {
  countFilters,
  MAX_COMPARED,
  parseCatalogQuery,
  printCatalogQuery,
  sorts,
  withoutFilters,
  type CatalogQuery,
  type Sort,
  type View,
} from './catalog-query';
import { EntryTable, tableParts } from './entry-table';
import { selectEntries } from './select-entries';
import { onDemand } from '../components/ui/on-demand';
import { partOnDemand } from '../components/ui/part-on-demand';

const CompareTable = partOnDemand(() => dynamic(() => import('./compare-table').then((module) => module.CompareTable)));
const CompareTray = partOnDemand(() => dynamic(() => import('./compare-tray').then((module) => module.CompareTray)));
const EntryCards = partOnDemand(() => dynamic(() => import('./entry-cards').then((module) => module.EntryCards)));
const FilterChips = partOnDemand(() => dynamic(() => import('./filter-chips').then((module) => module.FilterChips)));
const FilterDialog = onDemand(() => import('./filter-dialog').then((module) => module.FilterDialog));

const SORT_WORDS: Readonly<Record<Sort, string>> = {
  catalog: 'Catalog order',
  name: 'Name',
  price: 'Price',
  newest: 'Newest',
};
const VIEWS: readonly { readonly view: View; readonly label: string; readonly icon: typeof List }[] = [
  { view: 'table', label: 'Table', icon: List },
  { view: 'cards', label: 'Cards', icon: LayoutGrid },
];
/** Typing pause before the URL is updated: browsers limit URL changes to about 100 per 30 seconds. */
const DEBOUNCE_MS = 200;

export function Catalog({ entries: given }: { readonly entries: readonly CatalogEntry[] }) {
  const router = useRouter();
  const list = useRef<ListHandle>(null);
  const [filtering, setFiltering] = useState(false);
  const { data, error, mutate } = useSWR(apiPaths.models(), (path) => ask<Pick<CatalogEntryListJson, 'data'>>(path), {
    fallbackData: { data: given },
    // The page has current data, and the catalog rarely changes.
    revalidateOnMount: false,
  });
  const entries = data.data;
  const { query, change, type } = useCatalogQuery();
  const { text } = query;
  // The field updates immediately; the list may lag.
  const searched = useDeferredValue(text);

  const shown = useMemo(() => selectEntries(entries, { ...query, text: searched }), [entries, query, searched]);
  const byUnit = query.sort === 'price';
  const parts = useMemo(
    () => (query.view === 'cards' ? listParts(shown, CARDS_PER_PART, byUnit) : tableParts(shown, byUnit)),
    [shown, byUnit, query.view],
  );
  const compared = query.compare.flatMap((id) => entries.find((entry) => entry.id === id) ?? []);
  const total = entries.filter(({ active }) => active || query.retired).length;
  const filters = countFilters(query);

  const open = (entry: CatalogEntry | undefined) => entry && router.push(paths.model(entry.id));
  const remove = (id: string) => {
    const compare = query.compare.filter((each) => each !== id);
    change({ compare, ...(compare.length < 2 && query.view === 'compare' && { view: 'table' }) });
  };
  const comparing = {
    chosen: query.compare,
    isFull: compared.length >= MAX_COMPARED,
    toggle: (id: string) =>
      query.compare.includes(id) ? remove(id) : change({ compare: [...compared.map((entry) => entry.id), id] }),
  };
  const facets = <CatalogFacets entries={entries} query={{ ...query, text: searched }} onChange={change} />;

  if (query.view === 'compare' && compared.length > 0) {
    return <CompareTable entries={compared} onRemove={remove} onBack={() => change({ view: 'table' })} />;
  }
  return (
    <div className="grid gap-x-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <aside aria-label="Filters" className="max-lg:hidden">
        {facets}
      </aside>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <SearchField
            label="Search models"
            placeholder="Search by name, id, alias or family"
            width="min-w-0 flex-1 basis-64"
            value={text}
            onChange={type}
            onEnter={() => open(shown[0])}
            onDown={() => list.current?.focus(0)}
          />
          <Button onClick={() => setFiltering(true)} className="lg:hidden">
            <SlidersHorizontal size={14} aria-hidden="true" /> Filters{filters > 0 && ` (${filters})`}
          </Button>
          <Select
            label="Sort by"
            value={query.sort}
            onChange={(value) => change({ sort: sorts.find((each) => each === value) ?? 'catalog' })}
            options={sorts.map((sort) => ({ value: sort, label: SORT_WORDS[sort] }))}
          />
          <fieldset className="inline-flex rounded-lg border border-line bg-sunken p-0.5">
            <legend className="sr-only">View</legend>
            {VIEWS.map(({ view, label, icon: Icon }) => (
              <button
                key={view}
                type="button"
                aria-pressed={query.view === view}
                aria-label={label}
                title={label}
                onClick={() => change({ view })}
                className="grid size-8 place-items-center rounded-md text-muted hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--line)] max-sm:size-10"
              >
                <Icon size={15} aria-hidden="true" />
              </button>
            ))}
          </fieldset>
        </div>
        <div className="mt-3 mb-3 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1.5">
          <output data-testid="count" className="text-sm text-muted tabular-nums">
            {shown.length === total ? `${total} models` : `${shown.length} of ${total} models`}
          </output>
          {filters > 0 && (
            <FilterChips query={query} onChange={change} onClear={() => change({ ...withoutFilters(query), text })} />
          )}
        </div>
        {error !== undefined && (
          <div className="mb-3">
            <StaleError error={error} onRetry={() => void mutate()} />
          </div>
        )}
        {shown.length === 0 ? (
          <NoMatch
            noun="models"
            description={noMatchWords(text, filters)}
            onClear={() => change(withoutFilters(query))}
          />
        ) : query.view === 'cards' ? (
          <EntryCards parts={parts} comparing={comparing} handle={list} />
        ) : (
          <EntryTable parts={parts} total={shown.length} comparing={comparing} handle={list} />
        )}
        {compared.length > 0 && (
          <CompareTray
            entries={compared}
            onRemove={remove}
            onClear={() => change({ compare: [] })}
            onCompare={() => change({ view: 'compare' })}
          />
        )}
      </div>
      {filtering && (
        <FilterDialog
          shown={shown.length}
          onClear={filters > 0 ? () => change({ ...withoutFilters(query), text }) : undefined}
          onClose={() => setFiltering(false)}
        >
          {facets}
        </FilterDialog>
      )}
    </div>
  );
}

/** The query state updates immediately, and the URL follows it. */
function useCatalogQuery() {
  const path = usePathname();
  const searchParams = useSearchParams();
  const [query, setQuery] = useState(() => parseCatalogQuery(searchParams));
  const written = useRef(printCatalogQuery(query));
  const timer = useRef<number>(undefined);

  const write = (next: CatalogQuery, how: 'pushState' | 'replaceState') => {
    window.clearTimeout(timer.current);
    written.current = printCatalogQuery(next);
    window.history[how](null, '', path + written.current);
  };
  // Back, Forward and links to this page change the URL from outside.
  useEffect(() => {
    const next = parseCatalogQuery(searchParams);
    if (printCatalogQuery(next) === written.current) return;
    written.current = printCatalogQuery(next);
    window.clearTimeout(timer.current);
    setQuery(next);
  }, [searchParams]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return {
    query,
    change(part: Partial<CatalogQuery>) {
      const next = { ...query, ...part };
      setQuery(next);
      write(next, 'pushState');
    },
    type(text: string) {
      const next = { ...query, text };
      setQuery(next);
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => write(next, 'replaceState'), DEBOUNCE_MS);
    },
  };
}

function noMatchWords(text: string, filters: number): string {
  const sentence = text === '' ? '' : `No model matches “${text}”`;
  if (filters === 0) return `${sentence}. Check the spelling or search for the vendor.`;
  return sentence === '' ? 'No model matches all filters.' : `${sentence} and the filters.`;
}
