import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './database';

// The list of all pages of the console and the documentation, for the checks that every page must pass. `unnamedPages` finds page files that are
// missing here, so that a new page cannot be forgotten.

export interface ConsolePage {
  /** From `app/console`, as the folders are called. */
  readonly folder: string;
  /**
   * With `{video}`, `{message}`, `{session}`, `{project}` or `{organization}` where an id belongs; see `pathWithIds`.
   */
  readonly path: string;
  /** The text of its `h1`. */
  readonly heading: RegExp;
  readonly signedOut?: true;
  /** Pages that play and render may have more code than a page of text. */
  readonly heavy?: true;
  /** Exists only for people who operate the installation. */
  readonly operator?: true;
}

/** The kinds of ids in the paths. */
export type SomeIds = Readonly<Record<'video' | 'message' | 'session' | 'project' | 'organization', string>>;

/** The path with the ids of existing objects. */
export function pathWithIds({ path: text }: Pick<ConsolePage, 'path'>, ids: SomeIds): string {
  return text.replace(/\{(video|message|session|project|organization)\}/, (_, kind: keyof SomeIds) => ids[kind]);
}

/** Any path without a folder. */
export const NOWHERE = 'nowhere';

const pages: readonly ConsolePage[] = [
  { folder: 'sign-in', path: '/console/sign-in', heading: /^Sign in$/, signedOut: true },
  { folder: 'sign-in/link', path: '/console/sign-in/link#x', heading: /^Sign in by link$/, signedOut: true },
  { folder: 'invitation', path: '/console/invitation#x', heading: /^Invitation$/, signedOut: true },
  { folder: '', path: '/console', heading: /^Overview$/ },
  { folder: 'keys', path: '/console/keys', heading: /^API keys$/ },
  { folder: 'keys/setup', path: '/console/keys/setup', heading: /^Set up a tool$/ },
  { folder: 'members', path: '/console/members', heading: /^Members$/ },
  { folder: 'audit', path: '/console/audit', heading: /^Audit log$/ },
  { folder: 'settings', path: '/console/settings', heading: /^Settings$/ },
  { folder: 'new-organization', path: '/console/new-organization', heading: /^Create an organisation$/ },
  { folder: 'projects', path: '/console/projects', heading: /^Projects$/ },
  { folder: 'projects/[id]', path: '/console/projects/{project}', heading: /^Search$/ },
  { folder: 'policies', path: '/console/policies', heading: /^Policies$/ },
  { folder: 'account', path: '/console/account', heading: /^Your account$/ },
  { folder: 'models', path: '/console/models', heading: /^Models$/ },
  { folder: 'models/[...id]', path: '/console/models/sandbox-t2v', heading: /\w/ },
  { folder: 'providers', path: '/console/providers', heading: /^Providers$/ },
  { folder: 'playground', path: '/console/playground', heading: /\w/, heavy: true },
  { folder: 'playground/batch', path: '/console/playground/batch', heading: /^Batch$/, heavy: true },
  { folder: 'messages', path: '/console/messages', heading: /^Messages$/, heavy: true },
  { folder: 'speech', path: '/console/speech', heading: /^Speech$/, heavy: true },
  { folder: 'videos', path: '/console/videos', heading: /^Videos$/ },
  { folder: 'videos/[id]', path: '/console/videos/{video}', heading: /\w/ },
  { folder: 'requests', path: '/console/requests', heading: /^Requests$/ },
  { folder: 'requests/messages/[id]', path: '/console/requests/messages/{message}', heading: /\w/ },
  { folder: 'requests/sessions/[id]', path: '/console/requests/sessions/{session}', heading: /\w/ },
  { folder: 'webhooks', path: '/console/webhooks', heading: /^Webhooks$/ },
  { folder: 'usage', path: '/console/usage', heading: /^Usage$/ },
  { folder: 'usage/ledger', path: '/console/usage/ledger', heading: /^Ledger$/ },
  { folder: 'usage/statement', path: '/console/usage/statement', heading: /^Statement$/ },
  { folder: 'usage/alerts', path: '/console/usage/alerts', heading: /^Alerts$/ },
  { folder: 'installation', path: '/console/installation', heading: /^Organisations$/, operator: true },
  {
    folder: 'installation/organizations/[id]',
    path: '/console/installation/organizations/{organization}',
    heading: /^My organisation$/,
    operator: true,
  },
  {
    folder: 'installation/organizations/[id]/support',
    path: '/console/installation/organizations/{organization}/support',
    heading: /^Support: My organisation$/,
    operator: true,
  },
  {
    folder: 'installation/providers',
    path: '/console/installation/providers',
    heading: /^Providers$/,
    operator: true,
  },
  { folder: 'installation/status', path: '/console/installation/status', heading: /^Status$/, operator: true },
  { folder: 'installation/operators', path: '/console/installation/operators', heading: /^Operators$/, operator: true },
  { folder: 'installation/log', path: '/console/installation/log', heading: /^Log$/, operator: true },
  { folder: '../docs', path: '/docs', heading: /^Documentation$/, signedOut: true },
  { folder: '../docs/[...page]', path: '/docs/errors', heading: /^Errors$/, signedOut: true },
  { folder: '../docs/[...page]', path: '/docs/reference/videos', heading: /^Videos: reference$/, signedOut: true },
  { folder: '../docs/search', path: '/docs/search?q=webhook', heading: /^Results for “webhook”$/, signedOut: true },
  { folder: NOWHERE, path: '/console/nowhere', heading: /^This page does not exist$/ },
];

/** Only with an empty database, without a sign-in. */
const withoutCheck = ['sign-up'];

/** The pages that this build has. */
export function consolePages(): readonly ConsolePage[] {
  return pages.filter(
    ({ folder }) => folder === NOWHERE || existsSync(path.join(root, folderOnDisk(folder), 'page.tsx')),
  );
}

/** Page files that are missing in the list above. */
export function unnamedPages(): readonly string[] {
  const found = [root, path.join(root, '..', 'docs')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name === 'page.tsx')
      .map((entry) => path.relative(root, entry.parentPath).split(path.sep).join('/')),
  );
  if (found.length < 5) throw new Error('The folders of the console were not read.');
  const named = new Set([...pages.map(({ folder }) => folderOnDisk(folder)), ...withoutCheck]);
  return found.filter((folder) => !named.has(folder));
}

const root = path.join(projectRoot, 'app', 'console');

/** A catch-all may be called by any name. */
function folderOnDisk(folder: string): string {
  if (!folder.includes('[')) return folder;
  const parent = path.posix.dirname(folder);
  const wanted = path.posix.basename(folder).startsWith('[...') ? /^\[\.\.\./ : /^\[[^.]/;
  const parentOnDisk = path.join(root, parent);
  if (!existsSync(parentOnDisk)) return folder;
  const name = readdirSync(parentOnDisk).find((each) => wanted.test(each));
  return name === undefined ? folder : path.posix.join(parent, name);
}
