import { GatewayError, isGatewayError, upstreamFailed } from '../../../domain/errors';
import { fieldsOf, type Fields } from '../../../domain/json';
import type { JsonAnswer } from '../http/ask-json';
import {
  answered,
  contentRefused,
  credentialsRefused,
  modelNotOffered,
  rateLimited,
  requestRejected,
  retryAfterMs,
  tooLarge,
} from '../http/upstream-error';

// Interprets the answers of a video vendor that are not a success. A submit can begin work that costs money, so its
// error must say whether work may have begun. Nothing has begun if the answer has the vendor's own error shape with a
// code that is a refusal in its table, or otherwise with a status of the table below. After any other answer, work may
// have begun. See docs/decisions/judge-submits.md.

/** The meaning of a vendor's error code. */
export type RefusalMeaning =
  /** The request cannot succeed as it is. */
  | 'invalid'
  /** The content was refused. */
  | 'policy'
  /** Our key was refused. */
  | 'auth'
  /** Our account has no credits. */
  | 'balance'
  /** Too many requests. */
  | 'rate'
  /** Too many videos at once. */
  | 'concurrency'
  /** The vendor cannot take the request now, and has not begun it. */
  | 'unavailable'
  /** The vendor does not offer the model to us. */
  | 'not_found';

/**
 * A line of a vendor's table of codes. The first matching line applies. A text or a number matches a whole code; `400`
 * matches `'400'` too.
 */
export interface VendorRule {
  readonly code: string | number | RegExp;
  readonly means: RefusalMeaning;
}

/** An answer that is not a success. */
export interface VendorAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The error in the vendor's own shape; absent if the body has another shape, is empty, or is not JSON. */
  readonly refusal?: Refusal;
}

interface Refusal {
  readonly code?: string | number | undefined;
  readonly message?: string | undefined;
}

/** An answer of a vendor whose answers are objects. */
export interface FieldsAnswer extends VendorAnswer {
  /** The fields of the body; none if it is not a JSON object. */
  readonly fields: Fields;
  /** Whether the body is neither empty nor JSON, such as the page of a proxy. */
  readonly isPage: boolean;
}

/** Reads the error in the vendor's own shape; undefined if the fields are not an error. */
type RefusalIn = (fields: Fields, answer: Pick<JsonAnswer, 'status' | 'headers'>) => Refusal | undefined;

/** Creates the `read` of a `VendorApi` whose answers are objects. */
export function readFields(refusalIn: RefusalIn): (answer: JsonAnswer) => FieldsAnswer {
  return ({ status, headers, json, bytes }) => {
    const fields = fieldsOf(json);
    const refusal = refusalIn(fields, { status, headers });
    return { status, headers, fields, isPage: json === undefined && bytes > 0, ...(refusal && { refusal }) };
  };
}

/**
 * Reads the answers of a vendor whose errors are `{ "detail" }`, without a code: a text, or a list for invalid fields.
 * `codeOf` finds our code in it; without one the status decides.
 */
export function readDetail(
  codeOf: (status: number, detail: string) => string | undefined,
): (answer: JsonAnswer) => FieldsAnswer {
  return readFields(({ detail }, { status }) => {
    if (typeof detail !== 'string' && !Array.isArray(detail)) return undefined;
    const message = typeof detail === 'string' ? detail : '';
    return { code: codeOf(status, message), message };
  });
}

/** Returns a refusal with this code, and with the message if that is text. */
export function refusalWith(code: string | number | undefined, message: unknown): Refusal {
  return { code, message: typeof message === 'string' ? message : undefined };
}

/**
 * Returns whether the status is any 2xx: vendors answer with 201 or 202 where they document 200, and only the content
 * says what has happened.
 */
export function isSuccess({ status }: Pick<VendorAnswer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns whether the vendor has done what was requested, such as a cancellation, whose answer may be empty. A page of a
 * proxy, or an error with a status of success, means that it has not.
 */
export function isDone(answer: FieldsAnswer): boolean {
  return isSuccess(answer) && !answer.isPage && answer.refusal === undefined;
}

/** Returns whether this is the vendor's own 404, and not that of a proxy. */
export function isOwnNotFound({ status, refusal }: VendorAnswer): boolean {
  return status === 404 && refusal !== undefined;
}

/** The pause after a refusal that states none. */
const DEFAULT_PAUSE_MS = 10_000;

const meaningByStatus: Readonly<Record<number, RefusalMeaning>> = {
  400: 'invalid',
  401: 'auth',
  402: 'balance',
  403: 'auth',
  404: 'not_found',
  422: 'invalid',
  429: 'rate',
};

/**
 * Returns the error for an answer to a submit that is not a success, or is a 2xx without the id of a job. The outcome
 * says whether work may have begun. `Upstream.send` interprets failures of the connection in the same way.
 */
export function submitRefusal(answer: VendorAnswer, rules: readonly VendorRule[], now: Date): GatewayError {
  const { status, refusal } = answer;
  const detail = detailOf(answer, rules);
  if (refusal === undefined) return mayHaveBegun(status, detail);
  const message = refusal.message ?? '';
  switch (meaningOf(answer, rules)) {
    case 'invalid':
      return requestRejected(message, detail);
    case 'policy':
      return contentRefused(message);
    case 'auth':
    case 'balance':
      return credentialsRefused(detail);
    case 'rate':
    case 'concurrency':
      return rateLimited('elsewhere', retryAfterMs(answer.headers, now) ?? DEFAULT_PAUSE_MS, detail);
    case 'unavailable':
      return upstreamFailed({ retry: 'elsewhere', started: 'no' }, detail);
    case 'not_found':
      return modelNotOffered(detail);
    case undefined:
      return status === 413 ? tooLarge(message, detail) : mayHaveBegun(status, detail);
  }
}

/**
 * Returns the error for an answer to a poll that is not a status of the job. The poll is always repeated later: only a
 * status from the vendor ends the job. `retryAfterMs` of the outcome is the pause that the vendor requested.
 */
export function pollFailure(answer: VendorAnswer, rules: readonly VendorRule[], now: Date): GatewayError {
  const pauseMs = retryAfterMs(answer.headers, now);
  const outcome = {
    retry: 'later',
    started: 'maybe',
    ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
  } as const;
  const meaning = meaningOf(answer, rules);
  const isOurAccount = meaning === 'auth' || meaning === 'balance' || answer.status === 401 || answer.status === 403;
  const code = isOurAccount ? 'upstream_auth_failed' : 'upstream_invalid_response';
  return upstreamFailed(outcome, detailOf(answer, rules), code);
}

/** Adds the outcome of a failed poll to an error. An error that is not a GatewayError is returned unchanged. */
export function laterPoll(error: unknown): unknown {
  if (!isGatewayError(error)) return error;
  const pauseMs = error.extra.upstream?.retryAfterMs;
  return new GatewayError(error.code, error.message, {
    ...error.extra,
    upstream: { retry: 'later', started: 'maybe', ...(pauseMs !== undefined && { retryAfterMs: pauseMs }) },
  });
}

/**
 * Adds the outcome that another provider may be tried to the error of a request that cannot begin work, such as an
 * upload before a submit. An error that is not a GatewayError is returned unchanged.
 */
export function notStarted(error: unknown): unknown {
  if (!isGatewayError(error) || error.extra.upstream?.started !== 'maybe') return error;
  const { code, message, extra } = error;
  return new GatewayError(code, message, {
    ...extra,
    upstream: { ...extra.upstream, retry: 'elsewhere', started: 'no' },
  });
}

/**
 * Returns the meaning of the code, or otherwise of the status. A status counts only together with the vendor's own
 * error shape, because a proxy may have sent it. A 5xx or a 2xx alone has no meaning.
 */
function meaningOf({ status, refusal }: VendorAnswer, rules: readonly VendorRule[]): RefusalMeaning | undefined {
  if (refusal === undefined) return undefined;
  return ruleFor(refusal.code, rules)?.means ?? meaningByStatus[status];
}

function ruleFor(code: string | number | undefined, rules: readonly VendorRule[]): VendorRule | undefined {
  if (code === undefined) return undefined;
  const text = String(code);
  return rules.find((rule) => (rule.code instanceof RegExp ? text.search(rule.code) >= 0 : String(rule.code) === text));
}

/** Describes a refusal for the log, with the code only if the table has it: other text may contain caller content. */
function detailOf({ status, refusal }: VendorAnswer, rules: readonly VendorRule[]): string {
  if (refusal === undefined) return `${answered(status, '')} The body is not an error of the vendor.`;
  const code = String(refusal.code ?? '');
  const isCode = ruleFor(refusal.code, rules) !== undefined || /^-?\d{1,9}$/.test(code);
  return answered(status, isCode ? code : '');
}

function mayHaveBegun(status: number, detail: string): GatewayError {
  const code = status === 408 || status === 504 ? 'upstream_timeout' : 'upstream_invalid_response';
  return upstreamFailed({ retry: 'later', started: 'maybe' }, detail, code);
}
