import {
  AudioLines,
  Boxes,
  Building2,
  ChartColumn,
  Clapperboard,
  FolderKanban,
  House,
  KeyRound,
  ListVideo,
  Logs,
  MessagesSquare,
  Plug,
  Server,
  ShieldCheck,
  Webhook,
} from 'lucide-react';
import { paths } from '../../paths';

// The pages of the console in navigation order. `key` is the shortcut key after G, `also` are further pages of a section
// that are not below its first one.

export const destinations = [
  { label: 'Overview', path: paths.overview(), icon: House, key: 'o' },
  { label: 'API keys', path: paths.keys(), icon: KeyRound, key: 'k' },
  { label: 'Projects', path: paths.projects(), icon: FolderKanban, key: 'j' },
  { label: 'Policies', path: paths.policies(), icon: ShieldCheck, key: 'y' },
  { label: 'Models', path: paths.models(), icon: Boxes, key: 'm' },
  { label: 'Providers', path: paths.providers(), icon: Plug, key: 'r' },
  { label: 'Playground', path: paths.playground(), icon: Clapperboard, key: 'p' },
  { label: 'Messages', path: paths.messages(), icon: MessagesSquare, key: 't' },
  { label: 'Speech', path: paths.speech(), icon: AudioLines, key: 's' },
  { label: 'Videos', path: paths.videos(), icon: ListVideo, key: 'v' },
  { label: 'Requests', path: paths.requests(), icon: Logs, key: 'l' },
  { label: 'Webhooks', path: paths.webhooks(), icon: Webhook, key: 'w' },
  { label: 'Usage', path: paths.usage(), icon: ChartColumn, key: 'u' },
  {
    label: 'Organisation',
    path: paths.members(),
    also: [paths.auditLog(), paths.settings()],
    icon: Building2,
    key: 'e',
  },
] as const;

/** Only for the operators of the installation. */
const installation = { label: 'Installation', path: paths.installation(), icon: Server, key: 'i' } as const;

export type Destination = (typeof destinations)[number] | typeof installation;

/** The pages that a person sees in the navigation. */
export const destinationsOf = (isOperator: boolean): readonly Destination[] =>
  isOperator ? [...destinations, installation] : destinations;

/** Whether this page or one below it is open. */
export function isOpen(destination: Destination, pathname: string): boolean {
  const { path } = destination;
  if (path === paths.overview()) return pathname === path;
  const pages: readonly string[] = 'also' in destination ? [path, ...destination.also] : [path];
  return pages.some((page) => pathname === page || pathname.startsWith(`${page}/`));
}
