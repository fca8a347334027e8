import { z } from 'zod';
import * as examples from '../examples/webhooks';
import {
  createEndpointRequestSchema,
  deliveryPageSchema,
  deliverySchema,
  deliveryStates,
  endpointListSchema,
  endpointSchema,
  receiverListSchema,
  resendRequestSchema,
  resentSchema,
  updateEndpointRequestSchema,
  webhookSecretSchema,
  webhookTestSchema,
} from '../webhooks';
import {
  createdParams,
  empty,
  json,
  modeOfNamedParam,
  modeParam,
  operation,
  pageParams,
  requestBody,
  type Operation,
} from './operation';

const tag = 'Manage webhooks';
const endpointParam = 'The id of the endpoint.';

export const webhookOperations: readonly Operation[] = [
  operation('GET /console/api/webhook-endpoints', 'listWebhookEndpoints', {
    tag,
    summary: 'List webhook endpoints',
    query: modeParam,
    answers: {
      200: json('The endpoints.', endpointListSchema, { object: 'list', data: [examples.endpointExample] }),
    },
  }),
  operation('POST /console/api/webhook-endpoints', 'createWebhookEndpoint', {
    tag,
    summary: 'Add a webhook endpoint',
    description: 'It receives the webhooks of all videos of the organisation in this mode.',
    query: modeParam,
    request: requestBody(createEndpointRequestSchema, examples.endpointRequests),
    answers: { 201: json('The endpoint.', endpointSchema, examples.endpointExample) },
    errors: ['url_not_allowed'],
  }),
  operation('PATCH /console/api/webhook-endpoints/:id', 'updateWebhookEndpoint', {
    tag,
    summary: 'Change, pause or resume a webhook endpoint',
    params: { id: endpointParam },
    request: requestBody(updateEndpointRequestSchema, { pause: { paused: true } }),
    answers: {
      200: json('The endpoint.', endpointSchema, {
        ...examples.endpointExample,
        paused: 'person',
        paused_at: examples.endpointExample.created_at,
      }),
    },
    errors: ['webhook_endpoint_not_found', 'url_not_allowed'],
  }),
  operation('DELETE /console/api/webhook-endpoints/:id', 'removeWebhookEndpoint', {
    tag,
    summary: 'Remove a webhook endpoint',
    params: { id: endpointParam },
    answers: empty('The endpoint is removed.'),
    errors: ['webhook_endpoint_not_found'],
  }),
  operation('GET /console/api/webhook-endpoints/:id/secret', 'readEndpointSecret', {
    tag,
    summary: 'Read the signing secret of a webhook endpoint',
    params: { id: endpointParam },
    answers: { 200: json('The secret.', webhookSecretSchema, examples.secretExample) },
    errors: ['webhook_endpoint_not_found'],
  }),
  operation('POST /console/api/webhook-endpoints/:id/rotate', 'rotateEndpointSecret', {
    tag,
    summary: 'Replace the signing secret of a webhook endpoint',
    description: 'The replaced secret also signs for 24 hours.',
    params: { id: endpointParam },
    answers: { 201: json('The new secret.', webhookSecretSchema, examples.rotatedSecretExample) },
    errors: ['webhook_endpoint_not_found'],
  }),
  operation('POST /console/api/webhook-endpoints/:id/test', 'testWebhookEndpoint', {
    tag,
    summary: 'Send an example to a webhook endpoint',
    params: { id: endpointParam },
    answers: { 200: json('The response of the receiver.', webhookTestSchema, examples.webhookTestExample) },
    errors: ['webhook_endpoint_not_found', 'url_not_allowed'],
  }),
  operation('GET /console/api/webhook-receivers', 'listWebhookReceivers', {
    tag,
    summary: 'List the health of the receivers',
    description: 'By endpoint, and for URLs in requests by host.',
    query: modeParam,
    answers: {
      200: json('The receivers.', receiverListSchema, { object: 'list', data: [examples.receiverExample] }),
    },
  }),
  operation('GET /console/api/webhook-deliveries', 'listWebhookDeliveries', {
    tag,
    summary: 'List webhook deliveries',
    query: {
      ...modeOfNamedParam,
      id: z.string().describe('Only this delivery.'),
      video_id: z.string().describe('Only deliveries of this video.'),
      search: z.string().describe('The id of a delivery or of a video; any other text matches nothing.'),
      endpoint_id: z.string().describe('Only deliveries to this endpoint.'),
      state: z.enum(deliveryStates).describe('Only deliveries of this state.'),
      ...createdParams,
      ...pageParams(50),
    },
    answers: {
      200: json('A page, newest first.', deliveryPageSchema, {
        object: 'list',
        data: [examples.deliveryExample],
        first_id: examples.deliveryExample.id,
        last_id: examples.deliveryExample.id,
        has_more: false,
      }),
    },
  }),
  operation('POST /console/api/webhook-deliveries/resend', 'resendDeliveries', {
    tag,
    summary: 'Send undelivered webhooks again',
    description: 'Sends the 100 oldest matching deliveries. Repeat it while `has_more` is true.',
    query: modeParam,
    request: requestBody(resendRequestSchema, { failed: { states: ['failed'] } }, { optional: true }),
    answers: { 202: json('The number of deliveries that are due now.', resentSchema, examples.resentExample) },
    errors: ['webhook_endpoint_not_found'],
  }),
  operation('POST /console/api/webhook-deliveries/:id/resend', 'resendManagedDelivery', {
    tag,
    summary: 'Send a webhook again',
    params: { id: 'The id of the delivery.' },
    answers: { 202: json('The delivery, which is due now.', deliverySchema, examples.deliveryExample) },
    errors: ['delivery_not_found'],
  }),
  operation('GET /console/api/webhook-secret', 'readWebhookSecret', {
    tag,
    summary: 'Read the signing secret of the organisation',
    description: 'It signs the webhooks to URLs in requests.',
    answers: { 200: json('The secret.', webhookSecretSchema, examples.secretExample) },
  }),
  operation('POST /console/api/webhook-secret/rotate', 'rotateWebhookSecret', {
    tag,
    summary: 'Replace the signing secret of the organisation',
    description: 'The replaced secret also signs for 24 hours.',
    answers: { 201: json('The new secret.', webhookSecretSchema, examples.rotatedSecretExample) },
  }),
];
