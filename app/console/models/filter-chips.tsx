'use client';

import { X } from 'lucide-react';
import { operationLabels } from '../components/operation-labels';
import { priceUnitTitles } from '../components/price/price-labels';
import { usd } from '../../../lib/domain/money';
import { facetNames, type CatalogQuery } from './catalog-query';
import { audioWords, modalityWords, stabilityWords } from './entry-words';

type Words = Readonly<Record<string, string>>;
const VALUE_WORDS: Readonly<Record<string, { readonly words: Words; readonly before?: string }>> = {
  output: { words: modalityWords, before: 'Output: ' },
  input: { words: modalityWords, before: 'Input: ' },
  operation: { words: operationLabels },
  audio: { words: audioWords },
  stability: { words: stabilityWords },
};

/** The active filters, each with a remove button. */
export function FilterChips({
  query,
  onChange,
  onClear,
}: {
  readonly query: CatalogQuery;
  onChange(change: Partial<CatalogQuery>): void;
  onClear(): void;
}) {
  const chosen = facetNames.flatMap((name) =>
    query.facets[name].map((value) => {
      const { words, before } = VALUE_WORDS[name] ?? { words: {} };
      const label = words[value] ?? value;
      return {
        label: before ? before + label.toLowerCase() : label,
        without: {
          facets: { ...query.facets, [name]: query.facets[name].filter((each) => each !== value) },
        } satisfies Partial<CatalogQuery>,
      };
    }),
  );
  const chips: readonly { readonly label: string; readonly without: Partial<CatalogQuery> }[] = [
    ...(query.live ? [{ label: 'Available in live mode', without: { live: false } }] : []),
    ...(query.retired ? [{ label: 'Including retired', without: { retired: false } }] : []),
    ...(query.unit
      ? [
          {
            label: priceUnitTitles[query.unit] + (query.most === undefined ? '' : ` up to ${usd(query.most)}`),
            without: { unit: undefined, most: undefined },
          },
        ]
      : []),
    ...(query.seconds === undefined
      ? []
      : [{ label: `${query.seconds} s or longer`, without: { seconds: undefined } }]),
    ...chosen,
  ];
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {chips.map(({ label, without }) => (
        <button
          key={label}
          type="button"
          aria-label={`Remove the filter ${label}`}
          onClick={() => onChange(without)}
          className="inline-flex h-7 items-center gap-1 rounded-full bg-accent-soft pr-1.5 pl-2.5 text-xs font-medium text-accent hover:opacity-80 max-sm:h-10 max-sm:px-3.5"
        >
          {label} <X size={12} aria-hidden="true" />
        </button>
      ))}
      <button
        type="button"
        onClick={onClear}
        className="h-7 px-1.5 text-xs text-muted underline decoration-line-strong underline-offset-4 hover:text-ink max-sm:h-10"
      >
        Clear all
      </button>
    </div>
  );
}
