import { z } from 'zod';
import { operatorEntryPageSchema } from '../audit';
import { transferPageSchema, transferRequestSchema, transferSchema } from '../credits';
import { keyRequests, createdKeyExample } from '../examples/keys';
import { madeInvitationExample } from '../examples/members';
import * as examples from '../examples/operator';
import {
  addOperatorRequestSchema,
  installationStatusSchema,
  operatorListSchema,
  operatorSchema,
  supportViewSchema,
} from '../installation';
import { madeInvitationSchema } from '../invitations';
import { createdKeySchema } from '../keys';
import { organizationLimitsRequest, organizationLimitsSchema } from '../limits';
import {
  createOrganizationKeyRequestSchema,
  inviteOwnerRequestSchema,
  madeOrganizationSchema,
  newOrganizationRequestSchema,
  organizationPageSchema,
  organizationSchema,
  organizationStates,
  suspensionRequestSchema,
} from '../organizations';
import { providerListSchema, verificationListSchema, verifyRequestSchema } from '../providers';
import { callbackAnswerSchema } from '../videos';
import { contentErrors, empty, json, modeParam, operation, pageParams, requestBody, type Operation } from './operation';

/** For the schemas of requests that depend on the time, because an expiry must lie in the future. */
const epoch = new Date(0);

const organizationParam = {
  organization: z.string().describe('The id of the organisation. May be left out if there is only one.'),
};

const mediaHeaders = ['accept-ranges'] as const;

const idParam = { id: 'The id of the organisation.' };

/** The operations that scripts call with the operator's token, and people with their sign-in. */
const shared: readonly Operation[] = [
  operation('GET /internal/operator/organizations', 'listOrganizations', {
    tag: 'Operator',
    summary: 'List organisations with their credits',
    query: {
      ...pageParams(50),
      search: z.string().max(200).describe('A part of the name, or the whole id.'),
      state: z.enum(organizationStates).describe('Only organisations in this state.'),
      order: z.enum(['asc', 'desc']).default('asc').describe('By the time of creation.'),
    },
    answers: { 200: json('A page of organisations.', organizationPageSchema, examples.organizationPageExample) },
  }),
  operation('POST /internal/operator/organizations', 'createOrganizationFor', {
    tag: 'Operator',
    summary: 'Create an organisation',
    description: 'It begins with test credits only. The answer has an invitation for its owner, with its link.',
    request: requestBody(newOrganizationRequestSchema, examples.newOrganizationRequests),
    answers: { 201: json('The organisation.', madeOrganizationSchema, examples.madeOrganizationExample) },
  }),
  operation('GET /internal/operator/organizations/:id', 'readOrganizationOf', {
    tag: 'Operator',
    summary: 'Read an organisation',
    params: idParam,
    answers: { 200: json('The organisation.', organizationSchema, examples.organizationExample) },
    errors: ['organization_not_found'],
  }),
  operation('POST /internal/operator/organizations/:id/invitations', 'inviteOwner', {
    tag: 'Operator',
    summary: 'Invite the owner of an organisation that has none',
    params: idParam,
    request: requestBody(inviteOwnerRequestSchema, { owner: { email: 'grace@example.com' } }, { optional: true }),
    answers: { 201: json('The invitation with its link.', madeInvitationSchema, madeInvitationExample) },
    errors: ['organization_not_found', 'owner_exists', 'rate_limit_exceeded'],
  }),
  operation('POST /internal/operator/organizations/:id/suspend', 'suspendOrganization', {
    tag: 'Operator',
    summary: 'Suspend an organisation',
    description:
      'Within 5 seconds its keys are refused with 403, its open connections end, and its console is read-only. Running videos are finished.',
    params: idParam,
    request: requestBody(suspensionRequestSchema, examples.suspensionRequests),
    answers: { 200: json('The organisation.', organizationSchema, examples.suspendedOrganizationExample) },
    errors: ['organization_not_found'],
  }),
  operation('POST /internal/operator/organizations/:id/resume', 'resumeOrganization', {
    tag: 'Operator',
    summary: 'Lift the suspension of an organisation',
    params: idParam,
    request: requestBody(suspensionRequestSchema, { paid: { reason: 'Invoice 1742 is paid' } }),
    answers: { 200: json('The organisation.', organizationSchema, examples.organizationExample) },
    errors: ['organization_not_found'],
  }),
  operation('GET /internal/operator/organizations/:id/support', 'readSupportView', {
    tag: 'Operator',
    summary: 'Read the support view of an organisation',
    description:
      'Its members, keys without their secrets, limits, and requests without their content. Each read is recorded in the audit log of the organisation.',
    params: idParam,
    query: modeParam,
    answers: { 200: json('The support view.', supportViewSchema, examples.supportViewExample) },
    errors: ['organization_not_found'],
  }),
  operation('GET /internal/operator/transfers', 'listTransfers', {
    tag: 'Operator',
    summary: 'List grants, adjustments and refunds',
    query: { ...organizationParam, ...modeParam, ...pageParams(50) },
    answers: { 200: json('A page, newest first.', transferPageSchema, examples.transferPageExample) },
    errors: ['organization_not_found', 'missing_required_parameter'],
  }),
  operation('POST /internal/operator/transfers', 'transferCredits', {
    tag: 'Operator',
    summary: 'Grant, adjust or refund credits',
    description: 'A request that repeats a `reference` moves no credits again.',
    request: requestBody(transferRequestSchema, examples.transferRequests),
    answers: {
      201: json('The transfer.', transferSchema, examples.transferExample, { headers: ['idempotent-replayed'] }),
    },
    errors: [
      'organization_not_found',
      'charge_not_found',
      'reference_reused',
      'balance_too_low',
      'refund_exceeds_charge',
    ],
  }),
  operation('GET /internal/operator/providers', 'listProviders', {
    tag: 'Operator',
    summary: 'List the providers of the installation',
    answers: {
      200: json('The providers, and what is missing for those that are not offered.', providerListSchema, {
        object: 'list',
        data: [...examples.providerExamples],
      }),
    },
  }),
  operation('POST /internal/operator/providers/verify', 'verifyProviders', {
    tag: 'Operator',
    summary: 'Verify the credentials with the providers',
    request: requestBody(verifyRequestSchema, { one: { provider: 'kling' }, all: {} }, { optional: true }),
    answers: {
      200: json('The result for each provider.', verificationListSchema, {
        object: 'list',
        data: [examples.verificationExample],
      }),
    },
    errors: ['provider_not_found', 'unsupported_value'],
  }),
  operation('GET /internal/operator/status', 'readInstallationStatus', {
    tag: 'Operator',
    summary: 'Read the state of the installation',
    description: 'Versions, the queue of all processes, and the load and the provider health of the one that answers.',
    answers: { 200: json('The state.', installationStatusSchema, examples.installationStatusExample) },
  }),
  operation('GET /internal/operator/operators', 'listOperators', {
    tag: 'Operator',
    summary: 'List the people who operate the installation',
    answers: {
      200: json('The operators.', operatorListSchema, { object: 'list', data: [examples.operatorExample] }),
    },
  }),
  operation('POST /internal/operator/operators', 'addOperator', {
    tag: 'Operator',
    summary: 'Make a person an operator',
    request: requestBody(addOperatorRequestSchema, { colleague: { person: 'grace@example.com' } }),
    answers: { 201: json('The operator.', operatorSchema, examples.operatorExample) },
    errors: ['account_not_found', 'address_not_verified'],
  }),
  operation('DELETE /internal/operator/operators/:id', 'removeOperator', {
    tag: 'Operator',
    summary: 'Remove an operator',
    params: { id: 'The id of the person.' },
    answers: empty('The operator is removed. This takes effect everywhere within 5 seconds.'),
    errors: ['account_not_found', 'unsupported_value'],
  }),
  operation('GET /internal/operator/audit-entries', 'listOperatorAuditEntries', {
    tag: 'Operator',
    summary: 'List what the operator did',
    description: 'In all organisations and about the installation. Kept for AUDIT_RETENTION_DAYS (365 by default).',
    query: pageParams(50),
    answers: { 200: json('A page, newest first.', operatorEntryPageSchema, examples.operatorEntryPageExample) },
  }),
];

export const operatorOperations: readonly Operation[] = [
  ...shared,
  operation('POST /internal/operator/keys', 'createOrganizationKey', {
    tag: 'Operator',
    summary: 'Create a key of an organisation',
    request: requestBody(createOrganizationKeyRequestSchema(epoch), keyRequests),
    answers: { 201: json('The key. It is shown only once.', createdKeySchema, createdKeyExample) },
    errors: ['organization_not_found', 'conflicting_parameters'],
  }),
  operation('GET /internal/operator/limits', 'readOrganizationLimits', {
    tag: 'Operator',
    summary: 'Read the limits of an organisation',
    query: organizationParam,
    answers: { 200: json('The limits in force.', organizationLimitsSchema, examples.organizationLimitsExample) },
    errors: ['organization_not_found', 'missing_required_parameter'],
  }),
  operation('PATCH /internal/operator/limits', 'changeOrganizationLimits', {
    tag: 'Operator',
    summary: 'Change the limits of an organisation',
    description: 'Changes the named limits: a value, `"off"`, or null for the configured one.',
    request: requestBody(organizationLimitsRequest, examples.organizationLimitsRequests),
    answers: { 200: json('The limits in force.', organizationLimitsSchema, examples.organizationLimitsExample) },
    errors: ['organization_not_found'],
  }),
  ...shared.map((each): Operation => ({
    ...each,
    pattern: each.pattern.replace('/internal/operator', '/console/api/installation'),
    id: `${each.id}InConsole`,
    tag: 'Installation',
    headers: ['patchbay-organization'],
  })),
  operation('POST /internal/videos/:id/callback', 'receiveCallback', {
    tag: 'Providers',
    summary: 'Report that a video has changed',
    description: 'Called by upstream providers. The status itself is then read from the provider.',
    params: { id: 'The id of the video.' },
    query: { signature: z.string().describe("The signature of the video's id.") },
    answers: {
      200: json('For a provider that expects an answer.', callbackAnswerSchema, { challenge: '5f0c' }),
      204: { description: 'Received.' },
    },
    errors: [
      'invalid_signature',
      'video_not_found',
      'request_too_large',
      'request_timeout',
      'invalid_json',
      'invalid_body',
    ],
  }),
  operation('GET /internal/videos/:id/media/:file', 'readMedia', {
    tag: 'Providers',
    summary: 'Read media that the request contained as a data URL',
    description: 'Called by upstream providers while they make the video.',
    params: {
      id: 'The id of the video.',
      file: 'The position of the item in the order, with the extension of its type.',
    },
    query: {
      expires: z.string().describe('The expiry of the signed link.'),
      signature: z.string().describe('The signature of the signed link.'),
    },
    headers: ['range', 'if-range'],
    answers: {
      200: { description: 'The medium.', mediaType: 'image/*, video/*', headers: mediaHeaders },
      206: {
        description: 'The part of the file that `Range` names.',
        mediaType: 'image/*, video/*',
        headers: [...mediaHeaders, 'content-range'],
      },
    },
    errors: [...contentErrors, 'media_unreachable', 'media_invalid', 'route_not_found'],
  }),
];
