'use client';

import { Command } from 'cmdk';
import { Check, ChevronsUpDown, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useMemo, useState } from 'react';
import { priceSpan } from '../../../lib/catalog/price-span';
import type { Mode } from '../../../lib/domain/video';
import { operationLabels } from '../components/operation-labels';
import { priceLabel } from '../components/price/price-labels';
import { PriceRange } from '../components/price/price-range';
import { Chip } from '../components/ui/chip';
import { classNames } from '../components/ui/class-names';
import type { ShownModel } from '../components/video-form/form';
import { kindIcons, kinds } from './kinds';

/** All video models grouped by kind, with a search over names, ids and aliases. */
export function ModelPicker({
  models,
  value,
  mode,
  onChange,
}: {
  readonly models: readonly ShownModel[];
  readonly value: ShownModel;
  readonly mode: Mode;
  onChange(model: ShownModel): void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const selectedPrice = priceSpan(value.model);
  const Icon = kindIcons[value.model.video.kind];
  return (
    <div data-field="model">
      <p id={id} className="sr-only">
        Model
      </p>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger
          aria-labelledby={`${id} ${id}-value`}
          aria-haspopup="listbox"
          className="flex w-full items-center gap-3 rounded-lg border border-control-line/60 bg-surface px-3 py-2.5 text-left transition-colors hover:border-control-line hover:bg-hover"
        >
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-md bg-accent-soft text-accent"
          >
            <Icon size={16} />
          </span>
          <span id={`${id}-value`} className="min-w-0 grow">
            <span className="block truncate text-sm font-medium">{value.model.name}</span>
            <span className="block truncate text-xs text-muted tabular-nums">
              {operationLabels[value.model.video.kind]}
              {selectedPrice && ` · ${priceLabel(selectedPrice)}`}
            </span>
          </span>
          <ChevronsUpDown size={15} aria-hidden="true" className="shrink-0 text-muted" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            aria-label="Choose a model"
            align="start"
            sideOffset={6}
            collisionPadding={8}
            className="z-50 w-[min(26rem,calc(100vw-1rem))] animate-fade-in overflow-hidden rounded-xl bg-raised shadow-(--floating) outline-none"
          >
            <Choices
              models={models}
              value={value}
              mode={mode}
              onChoose={(model) => {
                setOpen(false);
                onChange(model);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

function Choices({
  models,
  value,
  mode,
  onChoose,
}: {
  readonly models: readonly ShownModel[];
  readonly value: ShownModel;
  readonly mode: Mode;
  onChoose(model: ShownModel): void;
}) {
  const [query, setQuery] = useState('');
  const groups = useMemo(() => groupsOf(models, query), [models, query]);
  const count = groups.reduce((sum, { members }) => sum + members.length, 0);
  return (
    <Command label="Search models" shouldFilter={false} loop defaultValue={value.model.id}>
      <div className="relative border-b border-line">
        <Search
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3.5 my-auto text-muted"
        />
        <Command.Input
          placeholder="Search by name or id"
          value={query}
          onValueChange={setQuery}
          className="block h-11 w-full bg-transparent pr-3 pl-10 text-sm outline-none placeholder:text-muted/80"
        />
      </div>
      <Command.List label="Models" className="max-h-[min(24rem,60dvh)] overflow-y-auto p-1">
        {count === 0 && <p className="px-3 py-8 text-center text-sm text-muted">No video model matches “{query}”.</p>}
        {groups.map(({ kind, members }) => (
          <Command.Group
            key={kind}
            heading={operationLabels[kind]}
            className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
          >
            {members.map((shown) => (
              <Choice
                key={shown.model.id}
                shown={shown}
                mode={mode}
                isChosen={shown === value}
                onChoose={() => onChoose(shown)}
              />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <output className="sr-only">{query !== '' && `${count} models`}</output>
    </Command>
  );
}

function Choice({
  shown: { model, offered, implemented },
  mode,
  isChosen,
  onChoose,
}: {
  readonly shown: ShownModel;
  readonly mode: Mode;
  readonly isChosen: boolean;
  onChoose(): void;
}) {
  const price = priceSpan(model);
  const isMissing = mode === 'live' && offered.length === 0;
  return (
    <Command.Item
      value={model.id}
      onSelect={onChoose}
      className="flex cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 data-[selected=true]:bg-hover max-sm:py-2.5"
    >
      <span className="min-w-0 grow">
        <span className={classNames('flex items-center gap-2 text-sm', isMissing && 'text-muted')}>
          <span className="truncate">{model.name}</span>
          {isMissing && <Chip tone="neutral">{implemented ? 'Not set up here' : 'Not available yet'}</Chip>}
        </span>
        <span className="block truncate font-mono text-2xs text-muted">{model.id}</span>
      </span>
      {price && (
        <span className="shrink-0 text-right text-xs">
          <PriceRange price={price} />
        </span>
      )}
      <Check size={15} aria-hidden="true" className={isChosen ? 'shrink-0 text-accent' : 'shrink-0 opacity-0'} />
    </Command.Item>
  );
}

function groupsOf(models: readonly ShownModel[], query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ model }: ShownModel) => {
    const text = [model.name, model.id, model.family, operationLabels[model.video.kind], ...model.aliases]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return kinds
    .map((kind) => ({ kind, members: models.filter((shown) => shown.model.video.kind === kind && matches(shown)) }))
    .filter(({ members }) => members.length > 0);
}
