'use client';

import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import type { FoundJson } from '../../../../lib/contract/activity';
import { Kbd } from '../ui/kbd';
import { ModalSurface } from '../ui/modal';
import { usePageTransition } from './page-transition';
import { entryOf, matches, useActionEntries, usePageEntries, type PaletteEntry } from './palette-entries';
import { usePaletteSearch } from './use-palette-search';

/** Searches pages, models, keys, requests and actions. */
export function CommandPalette({
  mayEdit,
  isOperator,
  onClose,
  onSheet,
}: {
  readonly mayEdit: boolean;
  readonly isOperator: boolean;
  onClose(): void;
  onSheet(): void;
}) {
  const [text, setText] = useState('');
  const search = usePaletteSearch(text);
  const { go } = usePageTransition();
  const pages = usePageEntries(isOperator);
  const actions = useActionEntries(mayEdit, onSheet);
  const ofKind = (...kinds: readonly FoundJson['kind'][]) =>
    search.results.filter(({ kind }) => kinds.includes(kind)).map((result) => entryOf(result, go));
  const groups = [
    { title: 'Models', entries: ofKind('model') },
    { title: 'API keys', entries: ofKind('key') },
    { title: 'Requests', entries: ofKind('video', 'message', 'session') },
    { title: 'Pages', entries: pages.filter((entry) => matches(entry, text)) },
    { title: 'Actions', entries: actions.filter((entry) => matches(entry, text)) },
    { title: 'Documentation', entries: ofKind('guide') },
  ].filter(({ entries }) => entries.length > 0);

  // The first entry is selected until the user moves, because server results arrive later and are inserted above.
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
  const list = ids.join('\n');
  const [moved, setMoved] = useState<{ readonly list: string; readonly id: string }>();
  const chosen = moved?.list === list && ids.includes(moved.id) ? moved.id : (ids[0] ?? '');

  function run(entry: PaletteEntry) {
    // Closes first, because the entry may open another dialog.
    onClose();
    entry.run();
  }

  return (
    <ModalSurface
      onOpenChange={onClose}
      className="inset-x-4 top-[12dvh] mx-auto max-w-xl animate-rise-in overflow-hidden rounded-2xl max-sm:inset-x-2 max-sm:top-2"
    >
      <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
      <Command
        shouldFilter={false}
        loop
        value={chosen}
        onValueChange={(id) => setMoved({ list, id })}
        label="Search and commands"
      >
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Search size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <Command.Input
            value={text}
            onValueChange={setText}
            placeholder="Search pages, models, keys, request ids, docs…"
            className="h-12 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted"
          />
          <span className="max-sm:hidden">
            <Kbd keys={['Esc']} />
          </span>
        </div>
        <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto overscroll-contain p-2">
          {groups.length === 0 && (
            <output className="block px-3 py-8 text-center text-sm text-muted">
              {search.error instanceof Error
                ? search.error.message
                : search.isWaiting
                  ? 'Searching…'
                  : `No results for “${text.trim()}”. Search models and keys by name, requests by their id.`}
            </output>
          )}
          {groups.map(({ title, entries }) => (
            <Command.Group
              key={title}
              heading={title}
              className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
            >
              {entries.map((entry) => (
                <EntryItem key={entry.id} entry={entry} onRun={() => run(entry)} />
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </ModalSurface>
  );
}

function EntryItem({ entry, onRun }: { readonly entry: PaletteEntry; onRun(): void }) {
  return (
    <Command.Item
      value={entry.id}
      onSelect={onRun}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm select-none data-[selected=true]:bg-hover max-sm:min-h-11"
    >
      <entry.icon size={15} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="truncate">{entry.label}</span>
      {entry.detail && <span className="min-w-0 truncate font-mono text-xs text-muted">{entry.detail}</span>}
      {entry.keys && (
        <span className="ml-auto shrink-0 max-sm:hidden">
          <Kbd keys={entry.keys} />
        </span>
      )}
    </Command.Item>
  );
}
