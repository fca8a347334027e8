import * as examples from '../examples/messages';
import { messagesErrorSchema } from '../errors';
import { countTokensRequestSchema, messageSchema, messagesRequestSchema, tokenCountSchema } from '../messages';
import {
  betaParam,
  creditErrors,
  json,
  modelErrors,
  operation,
  requestBody,
  retirementHeaders,
  type Operation,
} from './operation';

export const messageHeaders = [
  'x-patchbay-provider',
  'x-patchbay-attempts',
  'x-ignored-params',
  ...retirementHeaders,
] as const;
export const messageErrors = [
  ...modelErrors,
  ...creditErrors,
  'conflicting_parameters',
  'url_not_allowed',
  'media_unreachable',
  'media_invalid',
  'media_too_large',
  'content_policy_violation',
  'upstream_rejected',
  'no_provider_available',
  'upstream_invalid_response',
  'upstream_auth_failed',
  'upstream_timeout',
  'upstream_overloaded',
] as const;

/** The responses with an answer: a message, or the events of a stream. */
export const messageAnswer = {
  200: json('The answer; with `stream` a stream of events.', messageSchema, examples.messageExample, {
    mediaType: 'text/event-stream',
    headers: [...messageHeaders, 'x-accel-buffering'],
  }),
};
export const tokenCountAnswer = {
  200: json('The number of input tokens.', tokenCountSchema, examples.tokenCountExample, {
    headers: ['x-token-count-source', ...retirementHeaders],
  }),
};

const vendorHeaders = ['anthropic-version', 'anthropic-beta', 'x-test-scenario'] as const;

export const messageOperations: readonly Operation[] = [
  operation('POST /v1/messages', 'createMessage', {
    tag: 'Messages',
    summary: 'Answer a conversation',
    description:
      'The request and the answer have the shape of the vendor API. With `stream: true` the answer is a stream of server-sent events: `message_start`, `content_block_start`, `content_block_delta`, `content_block_stop`, `message_delta`, `message_stop`, `ping`, `error`.',
    query: betaParam,
    headers: vendorHeaders,
    request: requestBody(messagesRequestSchema, examples.messagesRequests),
    answers: messageAnswer,
    errors: messageErrors,
    error: messagesErrorSchema,
  }),
  operation('POST /v1/messages/count_tokens', 'countTokens', {
    tag: 'Messages',
    summary: 'Count input tokens',
    description: 'Takes the body of `POST /v1/messages`; `max_tokens` may be left out. It costs nothing.',
    query: betaParam,
    headers: vendorHeaders,
    request: requestBody(countTokensRequestSchema, examples.countTokensRequests),
    answers: tokenCountAnswer,
    errors: messageErrors,
    error: messagesErrorSchema,
  }),
];
