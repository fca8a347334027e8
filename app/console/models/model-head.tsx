import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { CatalogEntry } from '../../../lib/contract/models';
import { operationLabels } from '../components/operation-labels';
import { Chip } from '../components/ui/chip';
import { CopyButton } from '../components/ui/copy-button';
import { paths } from '../paths';
import { AvailabilityChip, LifeChips } from './entry-parts';
import { FamilyMark } from './family-mark';

/** Name, description and all ids of the model. */
export function ModelHead({ entry }: { readonly entry: CatalogEntry }) {
  return (
    <header>
      <nav aria-label="Breadcrumb" className="mb-4 flex items-center gap-1.5 text-sm text-muted">
        <Link href={paths.models()} className="rounded-sm hover:text-ink">
          Models
        </Link>
        <ChevronRight size={13} aria-hidden="true" />
        <span className="truncate">{entry.family}</span>
      </nav>
      <div className="flex items-start gap-4">
        <FamilyMark family={entry.family} size={44} />
        <div className="min-w-0 flex-1">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">{entry.name}</h1>
          <div className="mt-2 flex flex-wrap gap-1.5">
            <Chip tone="accent">{operationLabels[entry.operation]}</Chip>
            <AvailabilityChip entry={entry} />
            <LifeChips entry={entry} />
          </div>
        </div>
      </div>
      <p className="mt-4 max-w-3xl text-base text-muted">{entry.description}</p>
      <dl className="mt-4 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        <Names title="Id" names={[entry.id]} />
        {entry.aliases.length > 0 && (
          <Names title={entry.aliases.length === 1 ? 'Alias' : 'Aliases'} names={entry.aliases} />
        )}
        <Names title="With a pinned provider" names={entry.providers.map(({ id }) => `${id}/${entry.id}`)} />
      </dl>
    </header>
  );
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  return (
    <>
      <dt className="pt-1.5 text-muted max-sm:text-xs">{title}</dt>
      <dd className="flex flex-wrap gap-1.5">
        {names.map((name) => (
          <span key={name} className="inline-flex min-w-0 items-center rounded-md border border-line bg-surface pl-2">
            <code className="py-1 font-mono text-xs break-all">{name}</code>
            <CopyButton text={name} label={`Copy ${name}`} size="icon" />
          </span>
        ))}
      </dd>
    </>
  );
}
