'use client';

import { Command } from 'cmdk';
import { Check, ChevronsUpDown, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useMemo, useState, type ComponentType } from 'react';
import type { PriceSpan } from '../../../lib/contract/models';
import type { Mode } from '../../../lib/domain/video';
import { PriceRange } from './price/price-range';
import { priceLabel } from './price/price-labels';
import { Chip } from './ui/chip';
import { classNames } from './ui/class-names';

/** A model as the picker shows it. */
export interface ModelChoice {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly aliases: readonly string[];
  /** The heading above the model in the list. The closed picker shows it below the name. */
  readonly group: string;
  readonly price: PriceSpan | undefined;
  /** Why it cannot be used here, in two or three words. */
  readonly missing?: string | undefined;
}

/** Models in groups, with a search over names, ids and aliases. `groups` is the order of the groups. */
export function ModelPicker({
  label = 'Model',
  noun,
  icon: Icon,
  choices,
  groups,
  value,
  onChange,
}: {
  readonly label?: string;
  /** What the user searches for, such as `video model`. */
  readonly noun: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly choices: readonly ModelChoice[];
  readonly groups: readonly string[];
  readonly value: ModelChoice;
  onChange(id: string): void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div data-field="model">
      <p id={id} className="sr-only">
        {label}
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
            <span className="block truncate text-sm font-medium">{value.name}</span>
            <span className="block text-xs text-pretty text-muted tabular-nums">
              {value.group}
              {value.price && ` · ${priceLabel(value.price)}`}
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
              noun={noun}
              choices={choices}
              groups={groups}
              value={value}
              onChoose={(chosen) => {
                setOpen(false);
                onChange(chosen);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

function Choices({
  noun,
  choices,
  groups: order,
  value,
  onChoose,
}: {
  readonly noun: string;
  readonly choices: readonly ModelChoice[];
  readonly groups: readonly string[];
  readonly value: ModelChoice;
  onChoose(id: string): void;
}) {
  const [query, setQuery] = useState('');
  const groups = useMemo(() => groupsOf(choices, order, query), [choices, order, query]);
  const count = groups.reduce((sum, { members }) => sum + members.length, 0);
  return (
    <Command label="Search models" shouldFilter={false} loop defaultValue={value.id}>
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
        {count === 0 && (
          <p className="px-3 py-8 text-center text-sm text-muted">
            No {noun} matches “{query}”.
          </p>
        )}
        {groups.map(({ group, members }) => (
          <Command.Group
            key={group}
            heading={group}
            className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
          >
            {members.map((choice) => (
              <Choice
                key={choice.id}
                choice={choice}
                isChosen={choice.id === value.id}
                onChoose={() => onChoose(choice.id)}
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
  choice: { id, name, price, missing },
  isChosen,
  onChoose,
}: {
  readonly choice: ModelChoice;
  readonly isChosen: boolean;
  onChoose(): void;
}) {
  return (
    <Command.Item
      value={id}
      onSelect={onChoose}
      className="flex cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 data-[selected=true]:bg-hover max-sm:py-2.5"
    >
      <span className="min-w-0 grow">
        <span className={classNames('flex items-center gap-2 text-sm', missing !== undefined && 'text-muted')}>
          <span className="truncate">{name}</span>
          {missing !== undefined && <Chip tone="neutral">{missing}</Chip>}
        </span>
        <span className="block truncate font-mono text-2xs text-muted">{id}</span>
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

function groupsOf(choices: readonly ModelChoice[], order: readonly string[], query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, id, family, group, aliases }: ModelChoice) => {
    const text = [name, id, family, group, ...aliases].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return order
    .map((group) => ({ group, members: choices.filter((choice) => choice.group === group && matches(choice)) }))
    .filter(({ members }) => members.length > 0);
}

/** Returns why a model cannot be used in live mode here; undefined if it can. */
export function missingLabel(
  mode: Mode,
  { offered, implemented }: { readonly offered: readonly unknown[]; readonly implemented: boolean },
): string | undefined {
  if (mode === 'test' || offered.length > 0) return undefined;
  return implemented ? 'Not set up here' : 'Not available yet';
}
