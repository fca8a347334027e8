import { withCauses } from '../domain/errors';

// Recognises an unavailable database, which is temporary and not a bug of ours: by the error codes of Node's sockets
// and of Postgres, and, where a driver gives no code, by its known messages.

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
 * Admin shutdown, crash shutdown, cannot connect now, too many connections, statement timeout, read-only after a
 * failover; the timeouts of `open-database.ts` for locks and idle transactions; disk full, out of memory; and errors
 * that a retry resolves: deadlock and serialization failure.
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

/** Did this fail because the database could not be reached? Looks through `cause`, where query builders hide the driver's error. */
export function isDatabaseFailure(error: unknown): boolean {
  return withCauses(error).some((each) => {
    if (!(each instanceof Error)) return false;
    const code = 'code' in each && typeof each.code === 'string' ? each.code : '';
    // The whole class 08 is "connection exception".
    if (SOCKET_CODES.includes(code) || POSTGRES_CODES.includes(code) || /^08\w{3}$/.test(code)) return true;
    if (SENTENCES.some((sentence) => each.message.startsWith(sentence))) return true;
    // Several addresses tried and all refused.
    return each instanceof AggregateError && each.errors.some((inner) => isDatabaseFailure(inner));
  });
}
