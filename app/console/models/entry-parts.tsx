import { Archive, CircleCheck, CircleDashed, CircleSlash, Hourglass } from 'lucide-react';
import Link from 'next/link';
import type { CatalogEntry } from '../../../lib/contract/models';
import { PriceRange } from '../components/price/price-range';
import { Chip } from '../components/ui/chip';
import { paths } from '../paths';
import { dayWords } from './entry-words';

// Parts that the table, the cards and the comparison share.

/** The entry's name as a link that covers its whole row or card. */
export function EntryLink({ entry, index }: { readonly entry: CatalogEntry; readonly index: number }) {
  return (
    <Link
      href={paths.model(entry.id)}
      prefetch={false}
      data-entry={index}
      className="rounded-sm font-medium outline-offset-2 after:absolute after:inset-0 after:rounded-[inherit] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {entry.name}
    </Link>
  );
}

export function EntryPrice({ entry }: { readonly entry: CatalogEntry }) {
  const { price } = entry;
  if (!price) return <span className="text-muted">No price</span>;
  return <PriceRange price={price} />;
}

/** Shows whether live requests for the model are served here. With a test key every active model works. */
export function AvailabilityChip({
  entry,
}: {
  readonly entry: Pick<CatalogEntry, 'active' | 'available' | 'implemented' | 'deactivatedAt'>;
}) {
  if (!entry.active) {
    return (
      <Chip tone="bad" icon={Archive}>
        Retired{entry.deactivatedAt !== undefined && ` ${dayWords(entry.deactivatedAt)}`}
      </Chip>
    );
  }
  return <LiveChip {...entry} />;
}

/**
 * Shows whether live requests are served here, need the operator to set up a provider, or are impossible in this
 * version.
 */
export function LiveChip({ available, implemented }: Pick<CatalogEntry, 'available' | 'implemented'>) {
  if (available)
    return (
      <Chip tone="good" icon={CircleCheck}>
        Live
      </Chip>
    );
  return implemented ? (
    <Chip tone="neutral" icon={CircleSlash}>
      Not set up here
    </Chip>
  ) : (
    <Chip tone="neutral" icon={CircleDashed}>
      Not available yet
    </Chip>
  );
}

/** Deprecation and stability warnings. Renders nothing for a stable model. */
export function LifeChips({ entry }: { readonly entry: Pick<CatalogEntry, 'active' | 'deprecatedAt' | 'stability'> }) {
  return (
    <>
      {entry.active && entry.deprecatedAt !== undefined && (
        <Chip tone="warn" icon={Hourglass}>
          Deprecated
        </Chip>
      )}
      {entry.stability !== 'stable' && <Chip tone="warn">{entry.stability === 'beta' ? 'Beta' : 'Experimental'}</Chip>}
    </>
  );
}

/** Returns up to two provider names: `alibaba, fal`, or with more `alibaba, fal +2`. */
export function providerWords(entry: CatalogEntry): string {
  const [first, second, ...others] = entry.providers.map(({ id }) => id);
  if (first === undefined) return 'No provider';
  if (second === undefined) return first;
  return others.length === 0 ? `${first}, ${second}` : `${first}, ${second} +${others.length}`;
}

export interface Comparing {
  readonly chosen: readonly string[];
  readonly isFull: boolean;
  toggle(id: string): void;
}

/**
 * The checkbox that selects a model for comparison. It is above the link that covers the row, so that it can be
 * clicked.
 */
export function CompareBox({
  entry,
  comparing,
  words = false,
}: {
  readonly entry: CatalogEntry;
  readonly comparing: Comparing;
  readonly words?: boolean;
}) {
  const isChosen = comparing.chosen.includes(entry.id);
  const isLocked = comparing.isFull && !isChosen;
  return (
    <label
      title={isLocked ? 'You can compare up to four models' : undefined}
      className="relative z-10 inline-flex min-h-8 min-w-8 cursor-pointer items-center justify-center gap-2 rounded-md text-xs text-muted hover:text-ink max-sm:min-h-11 max-sm:min-w-11 has-disabled:cursor-not-allowed has-disabled:opacity-50"
    >
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isLocked}
        onChange={() => comparing.toggle(entry.id)}
        aria-label={`Compare ${entry.name}`}
        className="size-4 accent-(--accent)"
      />
      {words && <span aria-hidden="true">Compare</span>}
    </label>
  );
}
