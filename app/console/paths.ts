import type { Mode } from '../../lib/domain/video';

// All URLs of the console.

type QueryValues = Readonly<Record<string, string | undefined>>;

const query = (values: QueryValues) => {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return entries.length ? `?${new URLSearchParams(entries)}` : '';
};

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
  /** The keys of a project, or that page with the create dialog open. */
  keysOfProject: (id: string, mode?: Mode, values: { readonly new?: '1' } = {}) =>
    `/console/keys${query({ mode, project: id, ...values })}`,
  /** How tools and SDKs are pointed at this installation. */
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
  /** Each visit is an entry of the audit log of the organisation. */
  support: (id: string, mode?: Mode) =>
    `/console/installation/organizations/${encodeURIComponent(id)}/support${query({ mode })}`,
  installedProviders: () => '/console/installation/providers',
  installationStatus: () => '/console/installation/status',
  operators: () => '/console/installation/operators',
  operatorLog: () => '/console/installation/log',
} as const;

/** A page with its query, to return to the same view after signing in. */
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

/** The WebSocket endpoints that the console uses, with one ticket per connection. */
export const socketPaths = {
  transcriptions: '/v1/audio/transcriptions/ws',
  speech: '/v1/audio/speech/ws',
} as const;

export const apiPaths = {
  /** The public model list. */
  catalog: () => '/v1/models',
  members: () => '/console/api/members',
  member: (id: string) => `/console/api/members/${encodeURIComponent(id)}`,
  transferOwnership: (id: string) => `/console/api/members/${encodeURIComponent(id)}/transfer-ownership`,
  auditEntries: (search: QueryValues = {}) => `/console/api/audit-entries${query(search)}`,
  invitations: () => '/console/api/invitations',
  invitation: (id: string) => `/console/api/invitations/${encodeURIComponent(id)}`,
  resendInvitation: (id: string) => `/console/api/invitations/${encodeURIComponent(id)}/resend`,
  openInvitation: () => '/console/api/invitations/open',
  acceptInvitation: () => '/console/api/invitations/accept',
  invitationSignUp: () => '/console/api/invitations/sign-up',
  leaveOrganization: () => '/console/api/members/leave',
  organizations: () => '/console/api/organizations',
  organization: () => '/console/api/organization',
  organizationDeletion: () => '/console/api/organization/deletion',
  keys: () => '/console/api/keys',
  key: (id: string) => `/console/api/keys/${encodeURIComponent(id)}`,
  keyLimits: (id: string) => `/console/api/keys/${encodeURIComponent(id)}/limits`,
  rotateKey: (id: string) => `/console/api/keys/${encodeURIComponent(id)}/rotate`,
  projects: (mode: Mode) => `/console/api/projects${query({ mode })}`,
  project: (id: string, mode: Mode) => `/console/api/projects/${encodeURIComponent(id)}${query({ mode })}`,
  organizationPolicy: () => '/console/api/policies/organization',
  simulatePolicy: () => '/console/api/policies/simulate',
  videos: (mode: Mode, search: QueryValues = {}) => `/console/api/videos${query({ mode, ...search })}`,
  video: (id: string) => `/console/api/videos/${encodeURIComponent(id)}`,
  requests: (mode: Mode, search: QueryValues = {}) => `/console/api/requests${query({ mode, ...search })}`,
  message: (id: string) => `/console/api/messages/${encodeURIComponent(id)}`,
  audioSession: (id: string) => `/console/api/sessions/${encodeURIComponent(id)}`,
  favoriteVideo: (id: string) => `/console/api/videos/${encodeURIComponent(id)}/favorite`,
  cancelVideo: (id: string) => `/console/api/videos/${encodeURIComponent(id)}/cancel`,
  webhookDeliveries: (mode: Mode, search: QueryValues = {}) =>
    `/console/api/webhook-deliveries${query({ mode, ...search })}`,
  resendDeliveries: (mode: Mode) => `/console/api/webhook-deliveries/resend${query({ mode })}`,
  resendDelivery: (id: string) => `/console/api/webhook-deliveries/${encodeURIComponent(id)}/resend`,
  activity: (mode: Mode) => `/console/api/activity${query({ mode })}`,
  usage: (mode: Mode, values: QueryValues = {}) => `/console/api/usage${query({ mode, ...values })}`,
  performance: (mode: Mode, values: QueryValues = {}) => `/console/api/usage/performance${query({ mode, ...values })}`,
  ledger: (mode: Mode, values: QueryValues = {}) => `/console/api/ledger${query({ mode, ...values })}`,
  statement: (month: string, mode: Mode, format?: 'csv') =>
    `/console/api/statements/${encodeURIComponent(month)}${query({ mode, format })}`,
  alerts: (mode: Mode) => `/console/api/alerts${query({ mode })}`,
  alert: (id: string) => `/console/api/alerts/${encodeURIComponent(id)}`,
  search: (text: string) => `/console/api/search${query({ q: text })}`,
  submitVideo: (mode: Mode, price: string | undefined) => `/console/api/videos${query({ mode, price })}`,
  videoRequest: (id: string, mode: Mode) => `/console/api/videos/${encodeURIComponent(id)}/request${query({ mode })}`,
  videoContent: (id: string, mode: Mode) => `/console/api/videos/${encodeURIComponent(id)}/content${query({ mode })}`,
  messages: (mode: Mode) => `/console/api/messages${query({ mode })}`,
  countTokens: (mode: Mode) => `/console/api/messages/count_tokens${query({ mode })}`,
  /** The message of an HTTP request in the log of requests. */
  messageOfRequest: (requestId: string, mode: Mode) =>
    `/console/api/requests${query({ mode, kind: 'message', search: requestId, limit: '1' })}`,
  credits: (mode: Mode) => `/console/api/credits${query({ mode })}`,
  refillCredits: () => '/console/api/credits/refill',
  providerCredentials: () => '/console/api/provider-credentials',
  providerCredential: (id: string) => `/console/api/provider-credentials/${encodeURIComponent(id)}`,
  verifyProviderCredential: (id: string) => `/console/api/provider-credentials/${encodeURIComponent(id)}/verify`,
  webhookReceivers: (mode: Mode) => `/console/api/webhook-receivers${query({ mode })}`,
  webhookEndpoints: (mode: Mode) => `/console/api/webhook-endpoints${query({ mode })}`,
  webhookEndpoint: (id: string) => `/console/api/webhook-endpoints/${encodeURIComponent(id)}`,
  testWebhookEndpoint: (id: string) => `/console/api/webhook-endpoints/${encodeURIComponent(id)}/test`,
  endpointSecret: (id: string) => `/console/api/webhook-endpoints/${encodeURIComponent(id)}/secret`,
  rotateEndpointSecret: (id: string) => `/console/api/webhook-endpoints/${encodeURIComponent(id)}/rotate`,
  installedOrganizations: (search: QueryValues = {}) => `/console/api/installation/organizations${query(search)}`,
  installedOrganization: (id: string) => `/console/api/installation/organizations/${encodeURIComponent(id)}`,
  inviteOwner: (id: string) => `/console/api/installation/organizations/${encodeURIComponent(id)}/invitations`,
  suspendOrganization: (id: string) => `/console/api/installation/organizations/${encodeURIComponent(id)}/suspend`,
  resumeOrganization: (id: string) => `/console/api/installation/organizations/${encodeURIComponent(id)}/resume`,
  /** The transfers of an organisation, or, without one, where new ones are made. */
  transfers: (values: QueryValues = {}) => `/console/api/installation/transfers${query(values)}`,
  verifyProviders: () => '/console/api/installation/providers/verify',
  installationStatus: () => '/console/api/installation/status',
  operators: () => '/console/api/installation/operators',
  operator: (id: string) => `/console/api/installation/operators/${encodeURIComponent(id)}`,
  operatorEntries: (search: QueryValues = {}) => `/console/api/installation/audit-entries${query(search)}`,
  webhookSecret: () => '/console/api/webhook-secret',
  rotateWebhookSecret: () => '/console/api/webhook-secret/rotate',
  models: () => '/console/api/models',
  quotes: (mode: Mode) => `/console/api/quotes${query({ mode })}`,
  signUp: () => '/console/api/sign-up',
  socketTickets: () => '/console/api/socket-tickets',
  password: () => '/console/api/password',
  signOutEverywhere: () => '/console/api/sign-out-everywhere',
  csrf: () => '/api/auth/csrf',
  session: () => '/api/auth/session',
  mailLink: () => '/console/api/sign-in-links',
  signInWithLink: () => '/api/auth/callback/link',
  signInElsewhere: (service: 'github' | 'google') => `/api/auth/signin/${service}`,
  signInWithPassword: () => '/api/auth/callback/credentials',
  signOut: () => '/api/auth/signout',
} as const;
