import * as examples from '../examples/keys';
import {
  createdKeySchema,
  createKeyRequestSchema,
  keyListSchema,
  keySchema,
  rotateKeyRequestSchema,
  updateKeyRequestSchema,
} from '../keys';
import { limitUseListSchema } from '../limits';
import { ticketRequestSchema, ticketSchema } from '../sign-in';
import { json, operation, requestBody, type Operation } from './operation';

/** For the schemas of requests that depend on the time, because an expiry must lie in the future. */
const epoch = new Date(0);
const keyParam = 'The id of the key.';
const tag = 'Manage keys';

export const keyOperations: readonly Operation[] = [
  operation('GET /console/api/keys', 'listKeys', {
    tag,
    summary: 'List API keys',
    answers: {
      200: json('The keys of the organisation.', keyListSchema, { object: 'list', data: [examples.keyExample] }),
    },
  }),
  operation('POST /console/api/keys', 'createKey', {
    tag,
    summary: 'Create an API key',
    request: requestBody(createKeyRequestSchema(epoch), examples.keyRequests),
    answers: { 201: json('The key. It is shown only once.', createdKeySchema, examples.createdKeyExample) },
    errors: ['project_not_found', 'conflicting_parameters'],
  }),
  operation('PATCH /console/api/keys/:id', 'updateKey', {
    tag,
    summary: 'Change an API key',
    description: 'An absent field stays as it is; null removes a restriction. It takes effect within 5 seconds.',
    params: { id: keyParam },
    request: requestBody(updateKeyRequestSchema(epoch), examples.keyChanges),
    answers: { 200: json('The key.', keySchema, examples.keyExample) },
    errors: [
      'key_not_found',
      'key_not_active',
      'project_not_found',
      'reauthentication_required',
      'conflicting_parameters',
    ],
  }),
  operation('DELETE /console/api/keys/:id', 'revokeKey', {
    tag,
    summary: 'Revoke an API key',
    params: { id: keyParam },
    answers: { 200: json('The revoked key.', keySchema, { ...examples.keyExample, status: 'revoked' }) },
    errors: ['key_not_found'],
  }),
  operation('GET /console/api/keys/:id/limits', 'listKeyLimits', {
    tag,
    summary: 'List the limits of an API key with their current use',
    params: { id: keyParam },
    answers: {
      200: json('The limits of the key and of its organisation.', limitUseListSchema, {
        object: 'list',
        data: [...examples.limitUseExamples],
      }),
    },
    errors: ['key_not_found'],
  }),
  operation('POST /console/api/keys/:id/rotate', 'rotateKey', {
    tag,
    summary: 'Rotate an API key',
    description: 'Creates a key with the same rights. The old one stays valid for `overlap_seconds`.',
    params: { id: keyParam },
    request: requestBody(rotateKeyRequestSchema, { overlap: { overlap_seconds: 3600 } }, { optional: true }),
    answers: { 201: json('The new key. It is shown only once.', createdKeySchema, examples.createdKeyExample) },
    errors: ['key_not_found', 'key_not_active'],
  }),
  operation('POST /console/api/socket-tickets', 'createSocketTicket', {
    tag,
    summary: 'Create a ticket for a socket',
    description: 'It opens one audio socket within a minute, as `?token=`.',
    request: requestBody(ticketRequestSchema, { speech: { path: '/v1/audio/speech/ws', mode: 'test' } }),
    answers: { 201: json('The ticket.', ticketSchema, examples.ticketExample) },
  }),
];
