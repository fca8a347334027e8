import { z } from 'zod';
import { errorRules, errorTypes, type ErrorCode } from '../domain/error-rules';
import type { JsonOf } from './fields';

// The bodies of errors. `/v1/messages` and `/v1/models_compat` serve another family of SDKs and have a format of their
// own.

// Safe: they are the keys of `errorRules`.
const errorCodes = Object.keys(errorRules) as ErrorCode[];

export type ErrorJson = JsonOf<typeof errorSchema>;
export const errorSchema = z.strictObject({
  error: z.strictObject({
    message: z.string().describe('What was wrong, what is allowed, what to do.'),
    type: z.enum(errorTypes),
    param: z.string().nullable().describe('The field of the request.'),
    code: z.enum(errorCodes).describe('The name of the error; it does not change.'),
    request_id: z.string(),
    details: z.record(z.string(), z.unknown()).exactOptional().describe('Facts for programs; only for some codes.'),
  }),
});

/** The error types of the messages API. */
const messagesErrorTypes = [
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'conflict_error',
  'request_too_large',
  'rate_limit_error',
  'timeout_error',
  'overloaded_error',
  'api_error',
] as const;

export type MessagesErrorJson = JsonOf<typeof messagesErrorSchema>;
export const messagesErrorSchema = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject({ type: z.enum(messagesErrorTypes), message: z.string() }),
  request_id: z.string(),
});
