import type { MessagesErrorJson } from '../../contract/errors';
import { errorRules } from '../../domain/error-rules';
import type { GatewayError } from '../../domain/errors';

// Presents an error in the form of the messages API, as a response body or as the last event of a stream.

/** The error type of the messages API for each HTTP status. */
const typeOfStatus: Readonly<Record<number, MessagesErrorJson['error']['type']>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  410: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Returns the error as JSON in one line. */
export function messagesErrorText(error: GatewayError, requestId: string): string {
  const { status } = errorRules[error.code];
  const type = typeOfStatus[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  const body: MessagesErrorJson = {
    type: 'error',
    error: { type, message: error.message },
    request_id: requestId,
  };
  return JSON.stringify(body);
}
