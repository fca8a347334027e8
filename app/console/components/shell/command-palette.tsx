'use client';

import { Command } from 'cmdk';
import {
  Activity,
  AudioLines,
  BookOpen,
  Boxes,
  Building2,
  CircleDashed,
  Clapperboard,
  KeyRound,
  Keyboard,
  ListVideo,
  LogOut,
  MessageSquareText,
  MessagesSquare,
  Monitor,
  Moon,
  Plug,
  Plus,
  ScrollText,
  Search,
  Settings,
  Sun,
  ToggleLeft,
  UserCog,
  Users,
  Wrench,
} from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState, type ComponentType } from 'react';
import useSWR from 'swr';
import type { FoundJson, FoundListJson } from '../../../../lib/contract/activity';
import { may } from '../../../../lib/domain/roles';
import { signOut } from '../auth/browser-sign-in';
import { Kbd } from '../ui/kbd';
import { ModalSurface } from '../ui/modal';
import { chooseTheme } from '../ui/theme';
import { ask } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { paths } from '../../paths';
import { destinationsOf } from './destinations';
import { openOrganization, useOrganizations } from './organization';
import { usePageTransition } from './page-transition';
import { useMode } from './mode';
import { useSwitchMode } from './mode-switch';

type Icon = ComponentType<{ size: number; className?: string; 'aria-hidden': 'true' }>;

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon: Icon;
  readonly keys?: readonly string[];
  /** Additional search words. */
  readonly words?: string;
  run(): void;
}

/** Typing pause before the server is searched. */
const DEBOUNCE_MS = 120;
const MIN_SEARCH_CHARS = 2;

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
  const searched = usePaused(text.trim());
  const { go } = usePageTransition();
  const { switchMode } = useSwitchMode();
  const mode = useMode();
  const { current, all } = useOrganizations();
  const mayReadAuditLog = may(current.role, 'auditLog');
  const other = mode === 'test' ? 'live' : 'test';
  const searching = searched.length >= MIN_SEARCH_CHARS;
  const found = useSWR(searching ? apiPaths.search(searched) : null, (path) => ask<FoundListJson>(path), {
    keepPreviousData: true,
    shouldRetryOnError: false,
  });
  const waiting = text.trim().length >= MIN_SEARCH_CHARS && (found.isLoading || searched !== text.trim());

  const pages: Entry[] = destinationsOf(isOperator).map(({ label, path, icon, key }) => ({
    id: path,
    label,
    icon,
    keys: ['G', key.toUpperCase()],
    words: 'page go open',
    run: () => go(path, label),
  }));
  // The other pages of a section, which have no shortcut.
  const furtherPages: Entry[] = [
    { title: 'Members', path: paths.members(), icon: Users, isShown: true },
    { title: 'Audit log', path: paths.auditLog(), icon: ScrollText, isShown: mayReadAuditLog },
    { title: 'Settings', path: paths.settings(), icon: Settings, isShown: true },
    {
      title: 'Set up a tool',
      path: paths.setup(),
      icon: Wrench,
      isShown: true,
      words: 'connect sdk claude code openai anthropic mcp key',
    },
    { title: 'Installed providers', path: paths.installedProviders(), icon: Plug, isShown: isOperator },
    { title: 'Status of the installation', path: paths.installationStatus(), icon: Activity, isShown: isOperator },
    { title: 'Operators', path: paths.operators(), icon: UserCog, isShown: isOperator },
    { title: 'Operator log', path: paths.operatorLog(), icon: ScrollText, isShown: isOperator },
  ].flatMap(({ title, path, icon, isShown, words = 'organisation installation' }) =>
    isShown ? [{ id: title, label: title, icon, words: `page go open ${words}`, run: () => go(path, title) }] : [],
  );
  const actions: Entry[] = [
    ...(mayEdit
      ? [
          {
            id: 'create-key',
            label: 'Create an API key',
            icon: Plus,
            words: 'new',
            run: () => go(paths.newKey(), 'API keys'),
          },
        ]
      : []),
    {
      id: 'new-video',
      label: 'Create a video',
      icon: Clapperboard,
      words: 'new generate playground',
      run: () => go(paths.playground(), 'Playground'),
    },
    {
      id: 'new-message',
      label: 'Send a message',
      icon: MessagesSquare,
      words: 'new chat prompt text playground',
      run: () => go(paths.messages(), 'Messages'),
    },
    {
      id: 'mode',
      label: `Switch to ${other} mode`,
      icon: ToggleLeft,
      words: 'mode live test',
      run: () => switchMode(other),
    },
    ...all
      .filter(({ id }) => id !== current.id)
      .map(({ id, name }) => ({
        id: `organization:${id}`,
        label: `Switch to ${name}`,
        icon: Building2,
        words: 'organisation organization change open',
        run: () => openOrganization(id),
      })),
    {
      id: 'new-organization',
      label: 'Create an organisation',
      icon: Plus,
      words: 'new organization',
      run: () => go(paths.newOrganization(), 'Create an organisation'),
    },
    { id: 'light', label: 'Light theme', icon: Sun, words: 'appearance colour', run: () => chooseTheme('light') },
    { id: 'dark', label: 'Dark theme', icon: Moon, words: 'appearance colour', run: () => chooseTheme('dark') },
    {
      id: 'system',
      label: 'System theme',
      icon: Monitor,
      words: 'appearance colour',
      run: () => chooseTheme('system'),
    },
    {
      id: 'docs',
      label: 'Documentation',
      icon: BookOpen,
      words: 'docs guides reference help api',
      run: () => window.location.assign(paths.docs()),
    },
    { id: 'shortcuts', label: 'Keyboard shortcuts', icon: Keyboard, keys: ['?'], words: 'help keys', run: onSheet },
    {
      id: 'sign-out',
      label: 'Sign out',
      icon: LogOut,
      words: 'leave log',
      run: () => void signOut().then(() => window.location.assign(paths.signIn())),
    },
  ];
  const results = searching ? (found.data?.data ?? []) : [];
  const ofKind = (...kinds: readonly FoundJson['kind'][]) =>
    results.filter(({ kind }) => kinds.includes(kind)).map((result) => entryOf(result, go));
  const groups = [
    { title: 'Models', entries: ofKind('model') },
    { title: 'API keys', entries: ofKind('key') },
    { title: 'Requests', entries: ofKind('video', 'message', 'session') },
    { title: 'Pages', entries: [...pages, ...furtherPages].filter((entry) => matches(entry, text)) },
    { title: 'Actions', entries: actions.filter((entry) => matches(entry, text)) },
    { title: 'Documentation', entries: ofKind('guide') },
  ].filter(({ entries }) => entries.length > 0);

  // The first entry is selected until the user moves, because server results arrive later and are inserted above.
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
  const list = ids.join('\n');
  const [moved, setMoved] = useState<{ readonly list: string; readonly id: string }>();
  const chosen = moved?.list === list && ids.includes(moved.id) ? moved.id : (ids[0] ?? '');

  function run(entry: Entry) {
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
              {found.error instanceof Error
                ? found.error.message
                : waiting
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
                <Command.Item
                  key={entry.id}
                  value={entry.id}
                  onSelect={() => run(entry)}
                  className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm select-none data-[selected=true]:bg-hover max-sm:min-h-11"
                >
                  <entry.icon size={15} aria-hidden="true" className="shrink-0 text-muted" />
                  <span className="truncate">{entry.label}</span>
                  {entry.detail && (
                    <span className="min-w-0 truncate font-mono text-xs text-muted">{entry.detail}</span>
                  )}
                  {entry.keys && (
                    <span className="ml-auto shrink-0 max-sm:hidden">
                      <Kbd keys={entry.keys} />
                    </span>
                  )}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </ModalSurface>
  );
}

const ICONS = {
  model: Boxes,
  key: KeyRound,
  video: ListVideo,
  message: MessageSquareText,
  session: AudioLines,
  guide: BookOpen,
} as const satisfies Record<FoundJson['kind'], Icon>;

function entryOf(found: FoundJson, go: (href: string, title: string) => void): Entry {
  const { kind, id, title, detail } = found;
  const href = pathOf(found);
  // The documentation has a frame of its own.
  const run = kind === 'guide' ? () => window.location.assign(href) : () => go(href, title);
  return { id: `${kind}:${id}`, label: title, detail, icon: ICONS[kind] ?? CircleDashed, run };
}

function pathOf(found: FoundJson): string {
  switch (found.kind) {
    case 'model':
      return paths.model(found.id);
    case 'key':
      return paths.keysNamed(found.title, found.mode);
    case 'video':
      return paths.video(found.id, found.mode);
    case 'message':
      return paths.message(found.id, found.mode);
    case 'session':
      return paths.session(found.id, found.mode);
    case 'guide':
      return paths.docs(found.id);
  }
}

/** Each typed word must be a prefix of a word of the entry. */
function matches({ label, words = '' }: Entry, text: string): boolean {
  const own = `${label} ${words}`.toLowerCase().split(/\s+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => own.some((each) => each.startsWith(word)));
}

function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setPaused(value), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return paused;
}
