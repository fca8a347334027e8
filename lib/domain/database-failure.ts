import { GatewayError, isGatewayError, withCauses } from './errors';

// Recognises an unavailable database, which is temporary and not a bug of ours. It is recognised by the error codes of
// Node's sockets and of Postgres and, if a driver gives no code, by the driver's known messages.

const SOCKET_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/**
 * Error codes of Postgres: admin shutdown, crash shutdown, cannot connect now, too many connections, statement timeout,
 * read-only after a failover; the timeouts of `open-database.ts` for locks and idle transactions; disk full, out of
 * memory; and errors that a retry resolves: deadlock and serialization failure.
 */
const POSTGRES_CODES = [
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
  '25006',
  '55P03',
  '25P03',
  '53100',
  '53200',
  '40P01',
  '40001',
];

const SENTENCES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'Query read timeout',
  'PGlite is closed',
];

/**
 * Whether this failed because the database could not be reached. Also checks the `cause`, because query builders hide
 * the driver's error there.
 */
export function isDatabaseFailure(error: unknown): boolean {
  return withCauses(error).some((each) => {
    if (!(each instanceof Error)) return false;
    const code = 'code' in each && typeof each.code === 'string' ? each.code : '';
    // The whole class 08 is "connection exception", and 58 "system error", such as a failed read of a file.
    if (SOCKET_CODES.includes(code) || POSTGRES_CODES.includes(code) || /^(?:08|58)\w{3}$/.test(code)) return true;
    if (SENTENCES.some((sentence) => each.message.startsWith(sentence))) return true;
    // Several addresses tried and all refused.
    return each instanceof AggregateError && each.errors.some((inner) => isDatabaseFailure(inner));
  });
}

/**
 * Whether a statement failed because of its data: SQLSTATE class 22, or 54 for a value that is too long for an index. A
 * retry would have the same result.
 */
export function isRefusedValue(error: unknown): boolean {
  return withCauses(error).some(
    (each) =>
      each instanceof Error && 'code' in each && typeof each.code === 'string' && /^(?:22|54)\w{3}$/.test(each.code),
  );
}

/**
 * Converts anything thrown to a GatewayError. An unavailable database is recognised; everything else is
 * `internal_error`, with this advice.
 */
export function asGatewayError(
  error: unknown,
  advice = 'Try again; if it happens again, report the request id.',
): GatewayError {
  if (isGatewayError(error)) return error;
  if (isDatabaseFailure(error)) {
    return new GatewayError(
      'database_unavailable',
      'The service cannot reach its database at the moment. Try again in a few seconds.',
    );
  }
  return new GatewayError('internal_error', `An internal error occurred. ${advice}`);
}
