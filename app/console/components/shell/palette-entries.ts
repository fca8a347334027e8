'use client';

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
  Settings,
  Sun,
  ToggleLeft,
  UserCog,
  Users,
  Wrench,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { FoundJson } from '../../../../lib/contract/activity';
import { may } from '../../../../lib/domain/roles';
import { signOut } from '../auth/browser-sign-in';
import { chooseTheme } from '../ui/theme';
import { paths } from '../../paths';
import { destinationsOf } from './destinations';
import { useMode } from './mode';
import { useSwitchMode } from './mode-switch';
import { openOrganization, useOrganizations } from './organization';
import { usePageTransition } from './page-transition';

type Icon = ComponentType<{ size: number; className?: string; 'aria-hidden': 'true' }>;

/** A line of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon: Icon;
  readonly keys?: readonly string[];
  /** Additional search words. */
  readonly words?: string;
  run(): void;
}

/** The pages of the console that the user may open. */
export function usePageEntries(isOperator: boolean): readonly PaletteEntry[] {
  const { go } = usePageTransition();
  const { current } = useOrganizations();
  const main = destinationsOf(isOperator).map(({ label, path, icon, key }) => ({
    id: path,
    label,
    icon,
    keys: ['G', key.toUpperCase()],
    words: 'page go open',
    run: () => go(path, label),
  }));
  // The other pages of a section, which have no shortcut.
  const further = [
    { title: 'Members', path: paths.members(), icon: Users, isShown: true },
    { title: 'Audit log', path: paths.auditLog(), icon: ScrollText, isShown: may(current.role, 'auditLog') },
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
  return [...main, ...further];
}

/** The actions that are available on every page. `onShortcuts` shows the keyboard shortcuts. */
export function useActionEntries(mayEdit: boolean, onShortcuts: () => void): readonly PaletteEntry[] {
  const { go } = usePageTransition();
  const { switchMode } = useSwitchMode();
  const { current, all } = useOrganizations();
  const other = useMode() === 'test' ? 'live' : 'test';
  return [
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
    { id: 'shortcuts', label: 'Keyboard shortcuts', icon: Keyboard, keys: ['?'], words: 'help keys', run: onShortcuts },
    {
      id: 'sign-out',
      label: 'Sign out',
      icon: LogOut,
      words: 'leave log',
      run: () => void signOut().then(() => window.location.assign(paths.signIn())),
    },
  ];
}

const ICONS = {
  model: Boxes,
  key: KeyRound,
  video: ListVideo,
  message: MessageSquareText,
  session: AudioLines,
  guide: BookOpen,
} as const satisfies Record<FoundJson['kind'], Icon>;

/** Returns the palette entry for a search result. */
export function entryOf(found: FoundJson, go: (href: string, title: string) => void): PaletteEntry {
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

/** Whether an entry matches the typed text: each typed word must be a prefix of one of its words. */
export function matches({ label, words = '' }: PaletteEntry, text: string): boolean {
  const own = `${label} ${words}`.toLowerCase().split(/\s+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => own.some((each) => each.startsWith(word)));
}
