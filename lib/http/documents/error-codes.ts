import type { Operation } from '../../contract/operations/operation';
import { errorRules, type ErrorCode } from '../../domain/error-rules';
import type { Route } from '../route-table';

// The errors of each operation. Those of its access class, body and query follow from the route; the others are
// declared with the operation.

const everywhere: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_path',
  'unsupported_content_encoding',
  'wrong_host',
  'headers_too_large',
  'internal_error',
  'database_unavailable',
];

const wrongKey: readonly ErrorCode[] = [
  'invalid_api_key',
  'revoked_api_key',
  'expired_api_key',
  'vendor_key_not_accepted',
  'organization_suspended',
  'ip_not_allowed',
  'rate_limit_exceeded',
  'concurrency_limit_exceeded',
  'overloaded',
];
const withKey: readonly ErrorCode[] = [...wrongKey, 'missing_api_key', 'scope_required', 'endpoint_not_allowed'];
const inConsole: readonly ErrorCode[] = ['cross_origin', 'role_required'];
const signedIn: readonly ErrorCode[] = [
  ...wrongKey,
  ...inConsole,
  'missing_api_key',
  'scope_required',
  'not_signed_in',
  // For people who belong to several organisations, or to none.
  'not_a_member',
  'missing_required_parameter',
];

const byAccess: Readonly<Record<Route['access'], readonly ErrorCode[]>> = {
  public: [],
  'optional-key': wrongKey,
  key: withKey,
  'key-or-signature': withKey,
  operator: ['operator_not_configured', 'invalid_operator_token', 'rate_limit_exceeded'],
  stranger: [...wrongKey, ...inConsole, 'scope_required', 'missing_api_key'],
  member: signedIn,
  editor: signedIn,
  person: signedIn,
  installation: signedIn,
};

const ofBodies: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_body',
  'missing_required_parameter',
  'invalid_type',
  'unsupported_value',
  'unsupported_parameter',
  'string_too_long',
  'invalid_character',
  'unsupported_media_type',
  'request_too_large',
  'request_timeout',
];
const ofQueries: readonly ErrorCode[] = [
  'unsupported_value',
  'conflicting_parameters',
  'string_too_long',
  'invalid_character',
];

/** Returns the error codes of an operation, grouped by status in ascending order. */
export function errorCodesOf(operation: Operation, route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...everywhere,
    ...byAccess[route.access],
    ...(operation.request ? ofBodies : []),
    ...(hasValues(operation) ? ofQueries : []),
    ...(route.startsWork ? (['shutting_down'] as const) : []),
    ...('fresh' in route && route.fresh ? (['reauthentication_required'] as const) : []),
    ...operation.errors,
  ]);
  const known = Object.keys(errorRules) as ErrorCode[]; // Safe: its keys are the codes.
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of known) {
    if (!codes.has(code)) continue;
    const { status } = errorRules[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].toSorted(([one], [other]) => one - other));
}

/** Returns whether the operation has values in its path or query that can be wrong. */
function hasValues({ query, params }: Operation): boolean {
  return Object.keys(query).length > 0 || 'month' in params;
}
