import { z } from 'zod';
import { transferPageSchema, transferRequestSchema, transferSchema } from '../credits';
import { keyRequests, createdKeyExample } from '../examples/keys';
import * as examples from '../examples/operator';
import { createdKeySchema } from '../keys';
import { organizationLimitsRequest, organizationLimitsSchema } from '../limits';
import { createOrganizationKeyRequestSchema, organizationPageSchema } from '../organizations';
import { providerListSchema, verificationListSchema, verifyRequestSchema } from '../providers';
import { callbackAnswerSchema } from '../videos';
import { contentErrors, json, modeParam, operation, pageParams, requestBody, type Operation } from './operation';

/** For the schemas of requests that depend on the time: an expiry lies in the future. */
const epoch = new Date(0);

const organizationParam = {
  organization: z.string().describe('The id of the organisation. May be left out if there is only one.'),
};

const mediaHeaders = ['accept-ranges'] as const;

export const operatorOperations: readonly Operation[] = [
  operation('GET /internal/operator/organizations', 'listOrganizations', {
    tag: 'Operator',
    summary: 'List organisations with their credits',
    query: pageParams(50),
    answers: { 200: json('A page of organisations.', organizationPageSchema, examples.organizationPageExample) },
  }),
  operation('POST /internal/operator/keys', 'createOrganizationKey', {
    tag: 'Operator',
    summary: 'Create a key of an organisation',
    request: requestBody(createOrganizationKeyRequestSchema(epoch), keyRequests),
    answers: { 201: json('The key, which is shown only now.', createdKeySchema, createdKeyExample) },
    errors: ['organization_not_found'],
  }),
  operation('GET /internal/operator/transfers', 'listTransfers', {
    tag: 'Operator',
    summary: 'List grants, adjustments and refunds',
    query: { ...organizationParam, ...modeParam, ...pageParams(50) },
    answers: { 200: json('A page, newest first.', transferPageSchema, examples.transferPageExample) },
    errors: ['organization_not_found'],
  }),
  operation('POST /internal/operator/transfers', 'transferCredits', {
    tag: 'Operator',
    summary: 'Grant, adjust or refund credits',
    description: 'A repetition with the same `reference` moves nothing twice.',
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
  operation('GET /internal/operator/limits', 'readOrganizationLimits', {
    tag: 'Operator',
    summary: 'Read the limits of an organisation',
    query: organizationParam,
    answers: { 200: json('The limits in force.', organizationLimitsSchema, examples.organizationLimitsExample) },
    errors: ['organization_not_found'],
  }),
  operation('PATCH /internal/operator/limits', 'changeOrganizationLimits', {
    tag: 'Operator',
    summary: 'Change the limits of an organisation',
    description: 'Changes the named limits: a value, `"off"`, or null for the configured one.',
    request: requestBody(organizationLimitsRequest, examples.organizationLimitsRequests),
    answers: { 200: json('The limits in force.', organizationLimitsSchema, examples.organizationLimitsExample) },
    errors: ['organization_not_found'],
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
    summary: 'Ask providers whether they accept the credentials',
    request: requestBody(verifyRequestSchema, { one: { provider: 'kling' }, all: {} }, { optional: true }),
    answers: {
      200: json('What each provider said.', verificationListSchema, {
        object: 'list',
        data: [examples.verificationExample],
      }),
    },
    errors: ['provider_not_found', 'unsupported_value'],
  }),
  operation('POST /internal/videos/:id/callback', 'receiveCallback', {
    tag: 'Providers',
    summary: 'Report that a video has changed',
    description: 'Called by upstream providers. The status itself is then read from the provider.',
    params: { id: 'The id of the video.' },
    query: { signature: z.string().describe('Signs the id of the video.') },
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
    summary: 'Read a medium that came as a data URL',
    description: 'Called by upstream providers while they make the video.',
    params: { id: 'The id of the video.', file: 'The place of the medium, with the extension of its type.' },
    query: {
      expires: z.string().describe('Of the signed link.'),
      signature: z.string().describe('Of the signed link.'),
    },
    headers: ['range', 'if-range'],
    answers: {
      200: { description: 'The medium.', mediaType: 'image/*, video/*', headers: mediaHeaders },
      206: {
        description: 'The part of it that `Range` names.',
        mediaType: 'image/*, video/*',
        headers: [...mediaHeaders, 'content-range'],
      },
    },
    errors: [...contentErrors, 'media_unreachable', 'media_invalid', 'route_not_found'],
  }),
];
