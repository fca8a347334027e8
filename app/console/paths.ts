import type { Mode } from '../../lib/domain/video';
import { query } from './path-query';

// The URLs of the console's pages. Every page loads these, so the URLs of the API that it calls are in their own file,
// `api-paths.ts`.

export const paths = {
  overview: (mode?: Mode) => `/console${query({ mode })}`,
  signIn: (next?: string) => `/console/sign-in${query({ next })}`,
  /** Target of the link in sign-in e-mails; the token is in the fragment. */
  signInLink: () => '/console/sign-in/link',
  signUp: () => '/console/sign-up',
  /** The documentation, or a page or section of it. */
  docs: (page?: string) => (page === undefined ? '/docs' : `/docs/${page}`),
  /** Password and sign-in methods of the user. */
  account: () => '/console/account',
  /** Members, audit log and settings of the organisation. */
  members: () => '/console/members',
  auditLog: () => '/console/audit',
  settings: () => '/console/settings',
  /** Target of invitation links; the token is in the fragment. */
  invitation: () => '/console/invitation',
  /** Creates an organisation; also for people who belong to none. */
  newOrganization: () => '/console/new-organization',
  keys: () => '/console/keys',
  /** The keys page with the create dialog open. */
  newKey: () => '/console/keys?new=1',
  /** The keys of a mode, filtered by name. */
  keysNamed: (name: string, mode?: Mode) => `/console/keys${query({ mode, q: name })}`,
  /** The keys of a project. With `new`, that page with the create dialog open. */
  keysOfProject: (id: string, mode?: Mode, values: { readonly new?: '1' } = {}) =>
    `/console/keys${query({ mode, project: id, ...values })}`,
  /** Setup instructions for tools and SDKs. */
  setup: () => '/console/keys/setup',
  projects: (mode?: Mode) => `/console/projects${query({ mode })}`,
  project: (id: string, mode?: Mode) => `/console/projects/${encodeURIComponent(id)}${query({ mode })}`,
  policies: (values: { readonly key?: string; readonly model?: string } = {}) => `/console/policies${query(values)}`,
  models: (values: { readonly provider?: string } = {}) => `/console/models${query(values)}`,
  /** Ids may contain slashes; each part is a path segment. */
  model: (id: string) => `/console/models/${id.split('/').map(encodeURIComponent).join('/')}`,
  /** The own accounts of the organisation and, for owners and admins, the providers of the installation. */
  providers: () => '/console/providers',
  playground: (values: { readonly model?: string; readonly from?: string; readonly request?: string } = {}) =>
    `/console/playground${query(values)}`,
  /** Several videos in one submission. */
  batch: () => '/console/playground/batch',
  messages: (values: { readonly model?: string } = {}) => `/console/messages${query(values)}`,
  speech: (values: { readonly stt?: string; readonly tts?: string } = {}) => `/console/speech${query(values)}`,
  videos: (
    values: {
      readonly mode?: Mode;
      readonly status?: string;
      readonly model?: string;
      readonly key?: string;
      readonly q?: string;
      readonly favorite?: 'true';
    } = {},
  ) => `/console/videos${query(values)}`,
  /** One log of videos, messages and sessions. */
  requests: (
    values: {
      readonly mode?: Mode;
      readonly status?: string;
      readonly model?: string;
      readonly key?: string;
      readonly period?: string;
      readonly from?: string;
      readonly to?: string;
      readonly q?: string;
    } = {},
  ) => `/console/requests${query(values)}`,
  message: (id: string, mode?: Mode) => `/console/requests/messages/${encodeURIComponent(id)}${query({ mode })}`,
  /** A transcription or a spoken text. */
  session: (id: string, mode?: Mode) => `/console/requests/sessions/${encodeURIComponent(id)}${query({ mode })}`,
  usage: (values: { readonly mode?: Mode; readonly range?: string } = {}) => `/console/usage${query(values)}`,
  /** Entries of the ledger: those of a subject, or those of the open holds. */
  ledger: (values: { readonly mode?: Mode; readonly subject?: string; readonly open?: 'true' } = {}) =>
    `/console/usage/ledger${query(values)}`,
  /** Endpoints, receivers and deliveries. */
  webhooks: (values: { readonly mode?: Mode; readonly state?: string; readonly endpoint?: string } = {}) =>
    `/console/webhooks${query(values)}`,
  statement: (month?: string, mode?: Mode) => `/console/usage/statement${query({ month, mode })}`,
  alerts: (mode?: Mode) => `/console/usage/alerts${query({ mode })}`,
  video: (id: string, mode?: Mode) => `/console/videos/${encodeURIComponent(id)}${query({ mode })}`,
  /** All organisations of the installation; these pages are only for its operators. */
  installation: () => '/console/installation',
  installedOrganization: (id: string, mode?: Mode) =>
    `/console/installation/organizations/${encodeURIComponent(id)}${query({ mode })}`,
  /** What operators see of an organisation to support it. The audit log of the organisation records each visit. */
  support: (id: string, mode?: Mode) =>
    `/console/installation/organizations/${encodeURIComponent(id)}/support${query({ mode })}`,
  installedProviders: () => '/console/installation/providers',
  installationStatus: () => '/console/installation/status',
  operators: () => '/console/installation/operators',
  operatorLog: () => '/console/installation/log',
} as const;

/** Returns the URL of a page with its query, so that the user returns to the same view after signing in. */
export function withQuery(
  path: string,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  return (
    path +
    query(
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
      ),
    )
  );
}
