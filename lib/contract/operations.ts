import type { z } from 'zod';
import { activitySchema, foundListSchema } from './activity';
import { alertListSchema, alertSchema, createAlertRequestSchema, updateAlertRequestSchema } from './alerts';
import { auditPageSchema } from './audit';
import { creditsSchema, transferPageSchema, transferRequestSchema, transferSchema } from './credits';
import { errorSchema, messagesErrorSchema } from './errors';
import { healthSchema, helloSchema, livenessSchema, readinessSchema } from './health';
import {
  acceptedInvitationSchema,
  createInvitationRequestSchema,
  invitationListSchema,
  invitationSignUpRequestSchema,
  invitationTokenSchema,
  madeInvitationSchema,
  openedInvitationSchema,
} from './invitations';
import {
  createdKeySchema,
  createKeyRequestSchema,
  keyListSchema,
  keySchema,
  rotateKeyRequestSchema,
  updateKeyRequestSchema,
} from './keys';
import { limitUseListSchema, organizationLimitsRequest, organizationLimitsSchema } from './limits';
import { changeMemberRequestSchema, memberListSchema, memberSchema } from './members';
import { countTokensRequestSchema, messageSchema, messagesRequestSchema, tokenCountSchema } from './messages';
import {
  catalogEntryListSchema,
  compatModelPageSchema,
  internalModelListSchema,
  modelPageSchema,
  modelSchema,
} from './models';
import {
  createOrganizationKeyRequestSchema,
  createOrganizationRequestSchema,
  deleteOrganizationRequestSchema,
  organizationPageSchema,
  organizationSettingsSchema,
  ownOrganizationListSchema,
  ownOrganizationSchema,
  updateOrganizationRequestSchema,
} from './organizations';
import { providerListSchema, verificationListSchema, verifyRequestSchema } from './providers';
import {
  providerCredentialListSchema,
  storeCredentialRequestSchema,
  verifiedCredentialSchema,
} from './provider-credentials';
import { quoteRequestSchema } from './quote-request';
import { requestQuoteSchema } from './quotes';
import { messageDetailsSchema, requestPageSchema, sessionDetailsSchema } from './requests';
import {
  newPasswordSchema,
  signedUpSchema,
  signInLinkRequestSchema,
  signInLinkSchema,
  signUpRequestSchema,
  ticketRequestSchema,
  ticketSchema,
} from './sign-in';
import { ledgerPageSchema, performanceSchema, statementSchema, usageSchema } from './usage';
import {
  callbackAnswerSchema,
  deletedVideoSchema,
  favoriteSchema,
  foundVideoPageSchema,
  submittedVideoSchema,
  videoDetailsSchema,
  videoPageSchema,
  videoRequestSchema,
  videoSchema,
} from './videos';
import {
  organizationPolicySchema,
  simulationRequestSchema,
  simulationSchema,
  updatePolicyRequestSchema,
} from './policies';
import { createProjectRequestSchema, projectListSchema, projectSchema, updateProjectRequestSchema } from './projects';
import {
  createEndpointRequestSchema,
  deliveryPageSchema,
  deliverySchema,
  endpointListSchema,
  endpointSchema,
  receiverListSchema,
  resendRequestSchema,
  resentSchema,
  updateEndpointRequestSchema,
  webhookSecretSchema,
  webhookTestSchema,
} from './webhooks';

// Every operation of the API with the schemas of its bodies. A test compares the list with the routes, and the tests of
// HTTP check every response against it.

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in the route table: `:name` for one segment, `*name` for all remaining ones. */
  readonly pattern: string;
  /** The body of the request, in JSON. */
  readonly request?: z.ZodType;
  /** The bodies of the answers by status. Every other status has the body `error`. */
  readonly answers: Answers;
  readonly error: z.ZodType;
}

type Answers = Readonly<Record<number, Body>>;

/** The body of a response: JSON, another media type, either of them, or nothing at all. */
export interface Body {
  readonly json?: z.ZodType;
  readonly mediaType?: string;
}

const get = (pattern: string, answers: Answers) => operation('GET', pattern, answers);
const remove = (pattern: string, answers: Answers) => operation('DELETE', pattern, answers);

function post(pattern: string, request: z.ZodType | undefined, answers: Answers): Operation {
  return { ...operation('POST', pattern, answers), ...(request && { request }) };
}

function operation(method: Operation['method'], pattern: string, answers: Answers): Operation {
  return { method, pattern, answers, error: errorSchema };
}

/** One status with a JSON body. */
const json = (status: number, schema: z.ZodType): Answers => ({ [status]: { json: schema } });
/** A report in JSON, or with `?format=csv` as a table. */
const report = (schema: z.ZodType): Answers => ({ 200: { json: schema, mediaType: 'text/csv' } });
const empty: Answers = { 204: {} };
const notModified: Answers = { 304: {} };
const videoFile: Answers = { 200: { mediaType: 'video/mp4' }, 206: { mediaType: 'video/mp4' }, ...notModified };
const mediaFile: Answers = { 200: { mediaType: 'image/*, video/*' }, 206: { mediaType: 'image/*, video/*' } };
/** For the schemas of requests that depend on the time: an expiry lies in the future. */
const epoch = new Date(0);

export const operations: readonly Operation[] = [
  post('/v1/videos', videoRequestSchema, json(202, submittedVideoSchema)),
  get('/v1/videos', json(200, videoPageSchema)),
  get('/v1/videos/:id', json(200, videoSchema)),
  remove('/v1/videos/:id', json(200, deletedVideoSchema)),
  post('/v1/videos/:id/cancel', undefined, json(200, videoSchema)),
  get('/v1/videos/:id/content', videoFile),
  get('/v1/videos/:id/webhook_deliveries', json(200, deliveryPageSchema)),
  post('/v1/webhook_deliveries/:id/resend', undefined, json(202, deliverySchema)),
  {
    ...post('/v1/messages', messagesRequestSchema, { 200: { json: messageSchema, mediaType: 'text/event-stream' } }),
    error: messagesErrorSchema,
  },
  {
    ...post('/v1/messages/count_tokens', countTokensRequestSchema, json(200, tokenCountSchema)),
    error: messagesErrorSchema,
  },
  get('/v1/credits', json(200, creditsSchema)),
  get('/v1/models', { ...json(200, modelPageSchema), ...notModified }),
  get('/v1/models/*model', { ...json(200, modelSchema), ...notModified }),
  { ...get('/v1/models_compat', { ...json(200, compatModelPageSchema), ...notModified }), error: messagesErrorSchema },
  // The messages of the sockets are in audio.ts.
  get('/v1/audio/transcriptions/ws', { 101: {} }),
  get('/v1/audio/speech/ws', { 101: {} }),

  get('/internal/models', { ...json(200, internalModelListSchema), ...notModified }),
  get('/internal/operator/organizations', json(200, organizationPageSchema)),
  get('/internal/operator/transfers', json(200, transferPageSchema)),
  post('/internal/operator/transfers', transferRequestSchema, json(201, transferSchema)),
  post('/internal/videos/:id/callback', undefined, { ...json(200, callbackAnswerSchema), ...empty }),
  get('/internal/videos/:id/media/:file', mediaFile),
  get('/internal/operator/limits', json(200, organizationLimitsSchema)),
  {
    ...operation('PATCH', '/internal/operator/limits', json(200, organizationLimitsSchema)),
    request: organizationLimitsRequest,
  },
  get('/internal/operator/providers', json(200, providerListSchema)),
  post('/internal/operator/providers/verify', verifyRequestSchema, json(200, verificationListSchema)),
  post('/internal/operator/keys', createOrganizationKeyRequestSchema(epoch), json(201, createdKeySchema)),

  get('/', { 200: { json: healthSchema }, 302: {}, 503: { json: healthSchema } }),
  get('/.well-known/security.txt', { 200: { mediaType: 'text/plain' } }),
  get('/api/hello', json(200, helloSchema)),
  get('/livez', json(200, livenessSchema)),
  get('/readyz', { 200: { json: readinessSchema }, 503: { json: readinessSchema } }),

  get('/console/api/videos', json(200, foundVideoPageSchema)),
  post('/console/api/videos', videoRequestSchema, json(202, submittedVideoSchema)),
  post('/console/api/videos/:id/favorite', undefined, json(200, favoriteSchema)),
  remove('/console/api/videos/:id/favorite', json(200, favoriteSchema)),
  get('/console/api/videos/:id', json(200, videoDetailsSchema)),
  remove('/console/api/videos/:id', json(200, deletedVideoSchema)),
  get('/console/api/videos/:id/request', json(200, videoRequestSchema)),
  post('/console/api/videos/:id/cancel', undefined, json(200, videoSchema)),
  get('/console/api/videos/:id/content', videoFile),
  post('/console/api/messages', messagesRequestSchema, {
    200: { json: messageSchema, mediaType: 'text/event-stream' },
  }),
  post('/console/api/messages/count_tokens', countTokensRequestSchema, json(200, tokenCountSchema)),
  get('/console/api/requests', json(200, requestPageSchema)),
  get('/console/api/messages/:id', json(200, messageDetailsSchema)),
  get('/console/api/sessions/:id', json(200, sessionDetailsSchema)),
  get('/console/api/keys', json(200, keyListSchema)),
  post('/console/api/keys', createKeyRequestSchema(epoch), json(201, createdKeySchema)),
  {
    ...operation('PATCH', '/console/api/keys/:id', json(200, keySchema)),
    request: updateKeyRequestSchema(epoch),
  },
  remove('/console/api/keys/:id', json(200, keySchema)),
  get('/console/api/keys/:id/limits', json(200, limitUseListSchema)),
  post('/console/api/keys/:id/rotate', rotateKeyRequestSchema, json(201, createdKeySchema)),
  post('/console/api/quotes', quoteRequestSchema, json(200, requestQuoteSchema)),
  get('/console/api/webhook-secret', json(200, webhookSecretSchema)),
  post('/console/api/webhook-secret/rotate', undefined, json(201, webhookSecretSchema)),
  get('/console/api/provider-credentials', json(200, providerCredentialListSchema)),
  post('/console/api/provider-credentials', storeCredentialRequestSchema, json(201, verifiedCredentialSchema)),
  post('/console/api/provider-credentials/:id/verify', undefined, json(200, verifiedCredentialSchema)),
  remove('/console/api/provider-credentials/:id', empty),
  get('/console/api/webhook-deliveries', json(200, deliveryPageSchema)),
  post('/console/api/webhook-deliveries/resend', resendRequestSchema, json(202, resentSchema)),
  post('/console/api/webhook-deliveries/:id/resend', undefined, json(202, deliverySchema)),
  get('/console/api/webhook-receivers', json(200, receiverListSchema)),
  get('/console/api/webhook-endpoints', json(200, endpointListSchema)),
  post('/console/api/webhook-endpoints', createEndpointRequestSchema, json(201, endpointSchema)),
  {
    ...operation('PATCH', '/console/api/webhook-endpoints/:id', json(200, endpointSchema)),
    request: updateEndpointRequestSchema,
  },
  remove('/console/api/webhook-endpoints/:id', empty),
  get('/console/api/webhook-endpoints/:id/secret', json(200, webhookSecretSchema)),
  post('/console/api/webhook-endpoints/:id/rotate', undefined, json(201, webhookSecretSchema)),
  post('/console/api/webhook-endpoints/:id/test', undefined, json(200, webhookTestSchema)),
  get('/console/api/credits', json(200, creditsSchema)),
  get('/console/api/credits/transfers', json(200, transferPageSchema)),
  post('/console/api/credits/refill', undefined, json(200, creditsSchema)),
  get('/console/api/usage', report(usageSchema)),
  get('/console/api/usage/performance', report(performanceSchema)),
  get('/console/api/ledger', report(ledgerPageSchema)),
  get('/console/api/statements/:month', report(statementSchema)),
  get('/console/api/projects', json(200, projectListSchema)),
  post('/console/api/projects', createProjectRequestSchema, json(201, projectSchema)),
  get('/console/api/projects/:id', json(200, projectSchema)),
  {
    ...operation('PATCH', '/console/api/projects/:id', json(200, projectSchema)),
    request: updateProjectRequestSchema,
  },
  remove('/console/api/projects/:id', empty),
  get('/console/api/policies/organization', json(200, organizationPolicySchema)),
  {
    ...operation('PATCH', '/console/api/policies/organization', json(200, organizationPolicySchema)),
    request: updatePolicyRequestSchema,
  },
  post('/console/api/policies/simulate', simulationRequestSchema, json(200, simulationSchema)),
  get('/console/api/alerts', json(200, alertListSchema)),
  post('/console/api/alerts', createAlertRequestSchema, json(201, alertSchema)),
  {
    ...operation('PATCH', '/console/api/alerts/:id', json(200, alertSchema)),
    request: updateAlertRequestSchema,
  },
  remove('/console/api/alerts/:id', empty),
  get('/console/api/models', json(200, catalogEntryListSchema)),
  get('/console/api/providers', json(200, providerListSchema)),
  get('/console/api/activity', json(200, activitySchema)),
  get('/console/api/search', json(200, foundListSchema)),
  get('/console/api/audit-entries', report(auditPageSchema)),
  post('/console/api/socket-tickets', ticketRequestSchema, json(201, ticketSchema)),
  post('/console/api/sign-up', signUpRequestSchema, json(201, signedUpSchema)),
  post('/console/api/sign-in-links', signInLinkRequestSchema, json(202, signInLinkSchema)),
  post('/console/api/sign-out-everywhere', undefined, empty),
  get('/console/api/members', json(200, memberListSchema)),
  { ...operation('PATCH', '/console/api/members/:id', json(200, memberSchema)), request: changeMemberRequestSchema },
  remove('/console/api/members/:id', empty),
  post('/console/api/members/:id/transfer-ownership', undefined, json(200, memberSchema)),
  post('/console/api/members/leave', undefined, empty),
  get('/console/api/invitations', json(200, invitationListSchema)),
  post('/console/api/invitations', createInvitationRequestSchema, json(201, madeInvitationSchema)),
  remove('/console/api/invitations/:id', empty),
  post('/console/api/invitations/:id/resend', undefined, json(201, madeInvitationSchema)),
  post('/console/api/invitations/open', invitationTokenSchema, json(200, openedInvitationSchema)),
  post('/console/api/invitations/accept', invitationTokenSchema, json(200, acceptedInvitationSchema)),
  post('/console/api/invitations/sign-up', invitationSignUpRequestSchema, json(201, acceptedInvitationSchema)),
  get('/console/api/organizations', json(200, ownOrganizationListSchema)),
  post('/console/api/organizations', createOrganizationRequestSchema, json(201, ownOrganizationSchema)),
  get('/console/api/organization', json(200, organizationSettingsSchema)),
  {
    ...operation('PATCH', '/console/api/organization', json(200, organizationSettingsSchema)),
    request: updateOrganizationRequestSchema,
  },
  post('/console/api/organization/deletion', deleteOrganizationRequestSchema, json(200, organizationSettingsSchema)),
  remove('/console/api/organization/deletion', json(200, organizationSettingsSchema)),
  post('/console/api/password', newPasswordSchema, empty),
];
