import { readActivity } from './console/activity-endpoints';
import { readPolicy, simulatePolicy, updatePolicy } from './console/policies-endpoints';
import { createProject, listProjects, readProject, removeProject, updateProject } from './console/projects-endpoints';
import { createAlert, listAlerts, removeAlert, updateAlert } from './console/alerts-endpoints';
import { listAuditEntries } from './console/audit-endpoints';
import {
  changePassword,
  createKey,
  createSocketTicket,
  listCreditTransfers,
  listKeyLimits,
  listKeys,
  readConsoleCredits,
  refillTestCredits,
  revokeKey,
  rotateKey,
  signOutEverywhere,
  signUp,
  updateKey,
} from './console/endpoints';
import {
  cancelConsoleVideo,
  deleteConsoleVideo,
  markFavorite,
  readVideoDetails,
  searchVideos,
  unmarkFavorite,
} from './console/videos-endpoints';
import {
  listProviderCredentials,
  removeProviderCredential,
  storeProviderCredential,
  verifyProviderCredential,
} from './console/credentials-endpoints';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  openInvitation,
  resendInvitation,
  revokeInvitation,
  signUpInvited,
} from './console/invitations-endpoints';
import {
  changeMember,
  leaveOrganization,
  listMembers,
  removeMember,
  transferOwnership,
} from './console/members-endpoints';
import { listConsoleModels, listConsoleProviders } from './console/models-endpoints';
import {
  createOrganization,
  deleteOrganization,
  listOwnOrganizations,
  readOrganization,
  restoreOrganization,
  updateOrganization,
} from './console/organizations-endpoints';
import {
  countConsoleTokens,
  createConsoleMessage,
  readConsoleContent,
  readVideoRequest,
  submitConsoleVideo,
} from './console/playground-endpoints';
import { createQuote } from './console/quotes-endpoints';
import {
  listRequests,
  readMessageContent,
  readMessageDetails,
  readSessionContent,
  readSessionDetails,
} from './console/requests-endpoints';
import { createSearchEndpoint } from './console/search-endpoints';
import { createSignInLink } from './console/sign-in-endpoints';
import { listLedger, readPerformance, readStatement, readUsage } from './console/usage-endpoints';
import {
  createWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  listWebhookReceivers,
  readEndpointSecret,
  readWebhookSecret,
  removeWebhookEndpoint,
  resendWebhook,
  resendWebhooks,
  rotateEndpointSecret,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from './console/webhook-endpoints';
import { createDocuments } from './documents/documents';
import { receiveCallback } from './handlers/callbacks';
import { readContent } from './handlers/content';
import { readCredits } from './handlers/credits';
import { listDeliveries, resendDelivery } from './handlers/deliveries';
import { hello, readHealth, readLiveness, readReadiness, requireUpgrade } from './handlers/health';
import { readMedia } from './handlers/media';
import { countTokens, createMessage } from './handlers/messages';
import { listCompatModels, listInternalModels, listModels, readModel } from './handlers/models';
import { cancelVideo, listVideos, readVideo, removeVideo, submitVideo } from './handlers/videos';
import { readSecurityContact } from './handlers/security-contact';
import { answerMcp } from './mcp/mcp-endpoint';
import { isGatewayError, type GatewayError } from '../domain/errors';
import { operatorRoutes } from './operator-routes';
import { createRouteTable, type RouteMatch, type RouteTable } from './route-table';
import { parsePath } from './request-path';

/** The documents that describe the API, and the pages of the documentation. */
export const documents = createDocuments(() => routeTable.endpoints);

/**
 * Every route of the API and of the console's API, with who may call it. The custom server answers them directly;
 * `app/` mounts the same routes (a test compares the two).
 */
export const routeTable: RouteTable = createRouteTable([
  { method: 'POST', pattern: '/v1/videos', access: 'key', startsWork: true, submits: true, handler: submitVideo },
  { method: 'GET', pattern: '/v1/videos', access: 'key', handler: listVideos },
  { method: 'GET', pattern: '/v1/videos/:id', access: 'key', handler: readVideo },
  { method: 'DELETE', pattern: '/v1/videos/:id', access: 'key', handler: removeVideo },
  { method: 'POST', pattern: '/v1/videos/:id/cancel', access: 'key', handler: cancelVideo },
  { method: 'GET', pattern: '/v1/videos/:id/content', access: 'key-or-signature', stays: true, handler: readContent },
  { method: 'GET', pattern: '/v1/videos/:id/webhook_deliveries', access: 'key', handler: listDeliveries },
  {
    method: 'POST',
    pattern: '/v1/webhook_deliveries/:id/resend',
    access: 'key',
    startsWork: true,
    handler: resendDelivery,
  },
  { method: 'POST', pattern: '/v1/messages', access: 'key', startsWork: true, stays: true, handler: createMessage },
  { method: 'POST', pattern: '/v1/messages/count_tokens', access: 'key', handler: countTokens },
  { method: 'POST', pattern: '/mcp', access: 'key', startsWork: true, handler: answerMcp },
  { method: 'GET', pattern: '/v1/credits', access: 'key', handler: readCredits },
  { method: 'GET', pattern: '/v1/models', access: 'optional-key', handler: listModels },
  { method: 'GET', pattern: '/v1/models/*model', access: 'optional-key', handler: readModel },
  { method: 'GET', pattern: '/v1/models_compat', access: 'optional-key', handler: listCompatModels },
  { method: 'GET', pattern: '/v1/audio/transcriptions/ws', access: 'public', handler: requireUpgrade },
  { method: 'GET', pattern: '/v1/audio/speech/ws', access: 'public', handler: requireUpgrade },
  { method: 'GET', pattern: '/internal/models', access: 'optional-key', handler: listInternalModels },
  { method: 'POST', pattern: '/internal/videos/:id/callback', access: 'public', handler: receiveCallback },
  { method: 'GET', pattern: '/internal/videos/:id/media/:file', access: 'public', handler: readMedia },
  ...operatorRoutes,

  // The console's API, for its pages and for scripts with a key (docs/management.md).
  { method: 'GET', pattern: '/console/api/keys', access: 'member', handler: listKeys },
  {
    method: 'POST',
    pattern: '/console/api/keys',
    access: 'editor',
    fresh: true,
    audit: 'key.created',
    handler: createKey,
  },
  { method: 'PATCH', pattern: '/console/api/keys/:id', access: 'editor', audit: 'key.changed', handler: updateKey },
  { method: 'GET', pattern: '/console/api/keys/:id/limits', access: 'member', handler: listKeyLimits },
  { method: 'DELETE', pattern: '/console/api/keys/:id', access: 'editor', audit: 'key.revoked', handler: revokeKey },
  {
    method: 'POST',
    pattern: '/console/api/keys/:id/rotate',
    access: 'editor',
    fresh: true,
    audit: 'key.rotated',
    handler: rotateKey,
  },
  {
    method: 'GET',
    pattern: '/console/api/webhook-secret',
    access: 'editor',
    fresh: true,
    audit: 'webhook_secret.revealed',
    handler: readWebhookSecret,
  },
  {
    method: 'POST',
    pattern: '/console/api/webhook-secret/rotate',
    access: 'editor',
    fresh: true,
    audit: 'webhook_secret.rotated',
    handler: rotateWebhookSecret,
  },
  { method: 'GET', pattern: '/console/api/provider-credentials', access: 'member', handler: listProviderCredentials },
  {
    method: 'POST',
    pattern: '/console/api/provider-credentials',
    access: 'editor',
    fresh: true,
    audit: 'provider_credential.stored',
    handler: storeProviderCredential,
  },
  {
    method: 'POST',
    pattern: '/console/api/provider-credentials/:id/verify',
    access: 'editor',
    audit: 'provider_credential.verified',
    handler: verifyProviderCredential,
  },
  {
    method: 'DELETE',
    pattern: '/console/api/provider-credentials/:id',
    access: 'editor',
    audit: 'provider_credential.removed',
    handler: removeProviderCredential,
  },
  { method: 'GET', pattern: '/console/api/webhook-deliveries', access: 'member', handler: listWebhookDeliveries },
  {
    method: 'POST',
    pattern: '/console/api/webhook-deliveries/resend',
    access: 'editor',
    audit: 'webhook_deliveries.resent',
    handler: resendWebhooks,
  },
  {
    method: 'POST',
    pattern: '/console/api/webhook-deliveries/:id/resend',
    access: 'editor',
    audit: 'webhook_delivery.resent',
    handler: resendWebhook,
  },
  { method: 'GET', pattern: '/console/api/webhook-receivers', access: 'member', handler: listWebhookReceivers },
  { method: 'GET', pattern: '/console/api/webhook-endpoints', access: 'member', handler: listWebhookEndpoints },
  {
    method: 'POST',
    pattern: '/console/api/webhook-endpoints',
    access: 'editor',
    audit: 'webhook_endpoint.created',
    handler: createWebhookEndpoint,
  },
  {
    method: 'PATCH',
    pattern: '/console/api/webhook-endpoints/:id',
    access: 'editor',
    audit: 'webhook_endpoint.changed',
    handler: updateWebhookEndpoint,
  },
  {
    method: 'DELETE',
    pattern: '/console/api/webhook-endpoints/:id',
    access: 'editor',
    audit: 'webhook_endpoint.removed',
    handler: removeWebhookEndpoint,
  },
  {
    method: 'GET',
    pattern: '/console/api/webhook-endpoints/:id/secret',
    access: 'editor',
    fresh: true,
    audit: 'webhook_endpoint.secret_revealed',
    handler: readEndpointSecret,
  },
  {
    method: 'POST',
    pattern: '/console/api/webhook-endpoints/:id/rotate',
    access: 'editor',
    fresh: true,
    audit: 'webhook_endpoint.secret_rotated',
    handler: rotateEndpointSecret,
  },
  {
    method: 'POST',
    pattern: '/console/api/webhook-endpoints/:id/test',
    access: 'editor',
    audit: 'webhook_endpoint.tested',
    startsWork: true,
    handler: testWebhookEndpoint,
  },
  { method: 'GET', pattern: '/console/api/videos', access: 'member', handler: searchVideos },
  {
    method: 'POST',
    pattern: '/console/api/videos',
    access: 'editor',
    submits: true,
    audit: 'video.created',
    handler: submitConsoleVideo,
  },
  { method: 'GET', pattern: '/console/api/videos/:id', access: 'member', handler: readVideoDetails },
  {
    method: 'DELETE',
    pattern: '/console/api/videos/:id',
    access: 'editor',
    audit: 'video.deleted',
    handler: deleteConsoleVideo,
  },
  {
    method: 'POST',
    pattern: '/console/api/videos/:id/cancel',
    access: 'editor',
    audit: 'video.cancelled',
    handler: cancelConsoleVideo,
  },
  // For every role: a favourite belongs to the person and changes nothing for others.
  { method: 'POST', pattern: '/console/api/videos/:id/favorite', access: 'member', handler: markFavorite },
  { method: 'DELETE', pattern: '/console/api/videos/:id/favorite', access: 'member', handler: unmarkFavorite },
  { method: 'GET', pattern: '/console/api/videos/:id/request', access: 'member', handler: readVideoRequest },
  { method: 'GET', pattern: '/console/api/videos/:id/content', access: 'member', handler: readConsoleContent },
  {
    method: 'POST',
    pattern: '/console/api/messages',
    access: 'editor',
    startsWork: true,
    stays: true,
    handler: createConsoleMessage,
  },
  { method: 'POST', pattern: '/console/api/messages/count_tokens', access: 'editor', handler: countConsoleTokens },
  { method: 'GET', pattern: '/console/api/requests', access: 'member', handler: listRequests },
  { method: 'GET', pattern: '/console/api/messages/:id', access: 'member', handler: readMessageDetails },
  { method: 'GET', pattern: '/console/api/messages/:id/content', access: 'member', handler: readMessageContent },
  { method: 'GET', pattern: '/console/api/sessions/:id', access: 'member', handler: readSessionDetails },
  { method: 'GET', pattern: '/console/api/sessions/:id/content', access: 'member', handler: readSessionContent },
  { method: 'POST', pattern: '/console/api/quotes', access: 'member', handler: createQuote },
  { method: 'GET', pattern: '/console/api/models', access: 'member', handler: listConsoleModels },
  { method: 'GET', pattern: '/console/api/providers', access: 'member', handler: listConsoleProviders },
  { method: 'GET', pattern: '/console/api/search', access: 'member', handler: createSearchEndpoint(documents) },
  { method: 'GET', pattern: '/console/api/activity', access: 'member', handler: readActivity },
  { method: 'GET', pattern: '/console/api/credits', access: 'member', handler: readConsoleCredits },
  {
    method: 'POST',
    pattern: '/console/api/credits/refill',
    access: 'editor',
    audit: 'test_credits.refilled',
    handler: refillTestCredits,
  },
  { method: 'GET', pattern: '/console/api/credits/transfers', access: 'member', handler: listCreditTransfers },
  { method: 'GET', pattern: '/console/api/usage', access: 'member', handler: readUsage },
  { method: 'GET', pattern: '/console/api/usage/performance', access: 'member', handler: readPerformance },
  { method: 'GET', pattern: '/console/api/ledger', access: 'member', stays: true, handler: listLedger },
  { method: 'GET', pattern: '/console/api/statements/:month', access: 'member', handler: readStatement },
  { method: 'GET', pattern: '/console/api/projects', access: 'member', handler: listProjects },
  {
    method: 'POST',
    pattern: '/console/api/projects',
    access: 'editor',
    audit: 'project.created',
    handler: createProject,
  },
  { method: 'GET', pattern: '/console/api/projects/:id', access: 'member', handler: readProject },
  {
    method: 'PATCH',
    pattern: '/console/api/projects/:id',
    access: 'editor',
    audit: 'project.changed',
    handler: updateProject,
  },
  {
    method: 'DELETE',
    pattern: '/console/api/projects/:id',
    access: 'editor',
    audit: 'project.deleted',
    handler: removeProject,
  },
  { method: 'GET', pattern: '/console/api/policies/organization', access: 'member', handler: readPolicy },
  {
    method: 'PATCH',
    pattern: '/console/api/policies/organization',
    access: 'editor',
    audit: 'policy.changed',
    handler: updatePolicy,
  },
  { method: 'POST', pattern: '/console/api/policies/simulate', access: 'member', handler: simulatePolicy },
  { method: 'GET', pattern: '/console/api/alerts', access: 'member', handler: listAlerts },
  {
    method: 'POST',
    pattern: '/console/api/alerts',
    access: 'editor',
    audit: 'alert.created',
    handler: createAlert,
  },
  {
    method: 'PATCH',
    pattern: '/console/api/alerts/:id',
    access: 'editor',
    audit: 'alert.changed',
    handler: updateAlert,
  },
  {
    method: 'DELETE',
    pattern: '/console/api/alerts/:id',
    access: 'editor',
    audit: 'alert.removed',
    handler: removeAlert,
  },
  { method: 'POST', pattern: '/console/api/socket-tickets', access: 'editor', handler: createSocketTicket },
  {
    method: 'GET',
    pattern: '/console/api/audit-entries',
    access: 'member',
    permission: 'auditLog',
    stays: true,
    handler: listAuditEntries,
  },
  { method: 'POST', pattern: '/console/api/sign-up', access: 'stranger', handler: signUp },
  { method: 'POST', pattern: '/console/api/sign-in-links', access: 'stranger', handler: createSignInLink },
  { method: 'GET', pattern: '/console/api/members', access: 'member', handler: listMembers },
  {
    method: 'PATCH',
    pattern: '/console/api/members/:id',
    access: 'editor',
    permission: 'members',
    fresh: true,
    audit: 'member.role_changed',
    handler: changeMember,
  },
  {
    method: 'DELETE',
    pattern: '/console/api/members/:id',
    access: 'editor',
    permission: 'members',
    audit: 'member.removed',
    handler: removeMember,
  },
  {
    method: 'POST',
    pattern: '/console/api/members/:id/transfer-ownership',
    access: 'editor',
    permission: 'owners',
    fresh: true,
    audit: 'ownership.transferred',
    handler: transferOwnership,
  },
  // For every role: anyone may leave, even a suspended organisation.
  {
    method: 'POST',
    pattern: '/console/api/members/leave',
    access: 'member',
    audit: 'member.left',
    handler: leaveOrganization,
  },
  {
    method: 'GET',
    pattern: '/console/api/invitations',
    access: 'member',
    permission: 'members',
    handler: listInvitations,
  },
  {
    method: 'POST',
    pattern: '/console/api/invitations',
    access: 'editor',
    permission: 'members',
    fresh: true,
    audit: 'invitation.created',
    handler: createInvitation,
  },
  {
    method: 'DELETE',
    pattern: '/console/api/invitations/:id',
    access: 'editor',
    permission: 'members',
    audit: 'invitation.revoked',
    handler: revokeInvitation,
  },
  {
    method: 'POST',
    pattern: '/console/api/invitations/:id/resend',
    access: 'editor',
    permission: 'members',
    fresh: true,
    audit: 'invitation.resent',
    handler: resendInvitation,
  },
  { method: 'POST', pattern: '/console/api/invitations/open', access: 'stranger', handler: openInvitation },
  {
    method: 'POST',
    pattern: '/console/api/invitations/accept',
    access: 'person',
    audit: 'invitation.accepted',
    handler: acceptInvitation,
  },
  { method: 'POST', pattern: '/console/api/invitations/sign-up', access: 'stranger', handler: signUpInvited },
  { method: 'GET', pattern: '/console/api/organizations', access: 'person', handler: listOwnOrganizations },
  {
    method: 'POST',
    pattern: '/console/api/organizations',
    access: 'person',
    audit: 'organization.created',
    handler: createOrganization,
  },
  { method: 'GET', pattern: '/console/api/organization', access: 'member', handler: readOrganization },
  {
    method: 'PATCH',
    pattern: '/console/api/organization',
    access: 'editor',
    permission: 'settings',
    audit: 'organization.changed',
    handler: updateOrganization,
  },
  {
    method: 'POST',
    pattern: '/console/api/organization/deletion',
    access: 'editor',
    permission: 'deletion',
    fresh: true,
    audit: 'organization.deletion_requested',
    handler: deleteOrganization,
  },
  // `member` and not `editor`: an organisation that is being deleted is closed to editors.
  {
    method: 'DELETE',
    pattern: '/console/api/organization/deletion',
    access: 'member',
    permission: 'deletion',
    audit: 'organization.restored',
    handler: restoreOrganization,
  },
  {
    method: 'POST',
    pattern: '/console/api/sign-out-everywhere',
    access: 'person',
    audit: 'sign_in.ended_everywhere',
    handler: signOutEverywhere,
  },
  {
    method: 'POST',
    pattern: '/console/api/password',
    access: 'person',
    fresh: true,
    audit: 'password.changed',
    handler: changePassword,
  },

  { method: 'GET', pattern: '/', access: 'public', probe: true, handler: readHealth },
  { method: 'GET', pattern: '/openapi.json', access: 'public', handler: documents.openApi },
  { method: 'GET', pattern: '/asyncapi.json', access: 'public', handler: documents.asyncApi },
  { method: 'GET', pattern: '/llms.txt', access: 'public', handler: documents.llms },
  { method: 'GET', pattern: '/llms-full.txt', access: 'public', handler: documents.llmsFull },
  { method: 'GET', pattern: '/docs/markdown/*page', access: 'public', handler: documents.markdown },
  { method: 'GET', pattern: '/.well-known/security.txt', access: 'public', handler: readSecurityContact },
  { method: 'GET', pattern: '/api/hello', access: 'public', probe: true, handler: hello },
  { method: 'GET', pattern: '/livez', access: 'public', probe: true, handler: readLiveness },
  { method: 'GET', pattern: '/readyz', access: 'public', probe: true, handler: readReadiness },
]);

/**
 * Where a request goes, decided once for each request. `route`: to a route of the table, if it supports the method ·
 * `unknown`: a path below `/v1`, `/internal` or `/console/api` without a route, or one that only lacks its `/v1` ·
 * `page`: to Next, unless `checkPageRequest` decides otherwise · `refused`: an ambiguous path.
 */
export type Destination = RouteMatch | UnknownPath | PagePath | Refusal;

interface UnknownPath {
  readonly kind: 'unknown';
  readonly path: string;
  /** The route pattern that the path would match with a `/v1` before it, such as `/v1/videos/{id}`. */
  readonly suggestion: string | undefined;
}

interface PagePath {
  readonly kind: 'page';
  readonly path: string;
}

/**
 * A request that reaches neither a handler nor a page. `headers` are added to the response (`Allow` for a wrong
 * method).
 */
export interface Refusal {
  readonly kind: 'refused';
  readonly error: GatewayError;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the destination of a path as it was sent, without its query. */
export function findDestination(rawPath: string): Destination {
  let path: string;
  try {
    path = parsePath(rawPath);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { kind: 'refused', error };
  }
  const match = routeTable.match(path);
  if (match) return match;
  const suggestion = routeTable.match(`/v1${path}`)?.endpoint.pattern.replace(/[:*](\w+)/g, '{$1}');
  if (suggestion !== undefined || isBelow(path, '/v1') || isBelow(path, '/internal') || isConsoleApi(path))
    return { kind: 'unknown', path, suggestion };
  return { kind: 'page', path };
}

/**
 * Returns whether a path belongs to the console's API. Its routes read the sign-in cookie; those of `/v1` and
 * `/internal` do not.
 */
export function isConsoleApi(path: string): boolean {
  return path.startsWith('/console/api/');
}

/** Returns whether a path is the folder itself or inside it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
