import { GatewayError, upstreamFailed, upstreamRefused } from '../../../domain/errors';
import type { ErrorExtra } from '../../../domain/errors';
import { fieldsOf } from '../../../domain/json';
import { tryAgain } from '../../../domain/phrases';
import { parseRetryAfter } from '../../../io/retry-after';

// Maps an upstream's error to the client's error and to what the gateway does next. A rejection of *our* credentials or
// *our* account never becomes the client's 401 or 402: client tools would sign the user out. Errors that the client can
// fix keep the upstream's text, because tools match it ("prompt is too long"), with our own data removed.

export interface UpstreamRefusal {
  readonly status: number;
  /** The upstream's message; only that of a rejected request reaches the client. */
  readonly message?: string | undefined;
  /** `error.type` or `error.code`, whichever is more specific. */
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Up to this pause, waiting is cheaper than trying another provider. */
const SHORT_PAUSE_MS = 2_000;
const MAX_MESSAGE_CHARS = 500;

const ownAccount =
  /insufficient_quota|spend_limit_reached|ramp_limit_exceeded|billing|credit balance is too low|insufficient[ _]balance|account.{0,20}(arrears|suspended)/i;
const contentPolicy = /content_filter|content_policy|data_inspection|moderation|sensitive/i;
const tooLong =
  /maximum context length|context[ _]length|context[ _]window|prompt is too long|input is too long|too many (input )?tokens/i;

/** Returns the error for a refused request for a message. For a submit of a video, use `submitRefusal`. */
export function upstreamRefusal(refusal: UpstreamRefusal): GatewayError {
  const { status, code = '', message = '', retryAfterMs } = refusal;
  const detail = answered(status, code);

  if (
    status === 401 ||
    status === 402 ||
    status === 403 ||
    (status < 500 && (ownAccount.test(code) || ownAccount.test(message)))
  ) {
    return credentialsRefused(detail);
  }
  if (status === 404) return modelNotOffered(detail);
  if (status === 429) {
    const isShort = retryAfterMs !== undefined && retryAfterMs <= SHORT_PAUSE_MS;
    return rateLimited(isShort ? 'later' : 'elsewhere', retryAfterMs, detail);
  }
  if (status === 529 || (status === 503 && code === 'overloaded_error')) {
    return new GatewayError(
      'upstream_overloaded',
      'The provider is overloaded at the moment. Try again in a few seconds.',
      { ...afterPause('elsewhere', retryAfterMs), detail },
    );
  }
  if (status === 413) return tooLarge(message, detail);
  if (status === 408 || status === 409) return upstreamFailed({ retry: 'later', started: 'maybe' }, detail);
  if (status >= 400 && status < 500)
    return contentPolicy.test(code) ? contentRefused(message) : requestRejected(message, detail);
  if (status === 504) return upstreamFailed({ retry: 'later', started: 'maybe' }, detail, 'upstream_timeout');
  return upstreamFailed({ retry: status >= 500 && status !== 501 ? 'later' : 'elsewhere', started: 'maybe' }, detail);
}

/** Describes an upstream's answer for the log, without its message. */
export function answered(status: number, code: string): string {
  return `The upstream answered ${status}${code === '' ? '' : ` ${code}`}.`.slice(0, 200);
}

// The refusals of a request, whatever the vendor's code for them: in each case nothing has started.

const NEXT_PROVIDER = { retry: 'elsewhere', started: 'no' } as const;
const FINAL = { retry: 'never', started: 'no' } as const;

/** Returns the error if our key or our account was refused. */
export function credentialsRefused(detail: string): GatewayError {
  return upstreamFailed(NEXT_PROVIDER, detail, 'upstream_auth_failed');
}

/**
 * Returns the error for a model that the provider does not offer; another provider may be tried. `detail`: for the log.
 */
export function modelNotOffered(detail: string): GatewayError {
  return new GatewayError(
    'provider_model_not_found',
    'The provider does not offer this model at the moment. Name another model or provider.',
    { param: 'model', upstream: NEXT_PROVIDER, detail },
  );
}

/** Returns the error of a rate limit. `retry` is `later` if the pause is worth waiting for. */
export function rateLimited(
  retry: 'later' | 'elsewhere',
  retryAfterMs: number | undefined,
  detail: string,
): GatewayError {
  return new GatewayError(
    'rate_limit_exceeded',
    `The provider is limiting requests to this model at the moment. ${tryAgain(retryAfterMs === undefined ? undefined : retryAfterMs / 1_000)}`,
    { ...afterPause(retry, retryAfterMs), detail },
  );
}

function afterPause(retry: 'later' | 'elsewhere', retryAfterMs: number | undefined): ErrorExtra {
  return {
    upstream: { retry, started: 'no', ...(retryAfterMs !== undefined && { retryAfterMs }) },
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)) }),
  };
}

/** Returns an error with the upstream's message for the caller, from which our own data is removed. */
export function tooLarge(message: string, detail: string): GatewayError {
  const sentence = cleanMessage(message, 'The request is larger than the provider takes. Send less.');
  return new GatewayError('request_too_large', sentence, { upstream: FINAL, detail });
}

export function contentRefused(message: string): GatewayError {
  return upstreamRefused(cleanMessage(message, 'The provider refused this content. Change the request.'));
}

export function requestRejected(message: string, detail: string): GatewayError {
  return new GatewayError('upstream_rejected', rejectedSentence(message), { upstream: FINAL, detail });
}

function rejectedSentence(message: string): string {
  const sentence = cleanMessage(
    message,
    'The provider refused the request as it is. Check its fields against what the model supports.',
  );
  // Client tools shorten the conversation when they see this text; they do not know other vendors' texts.
  return tooLong.test(sentence) && !sentence.includes('prompt is too long')
    ? cleanMessage(`prompt is too long: ${sentence}`, sentence)
    : sentence;
}

/**
 * Parts of an upstream's message that would reveal something about us: its URLs, and our keys, accounts and
 * organisations there. Model names, field paths and tool call ids belong to the client and are kept.
 */
const ours = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  /\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|ai|dev|app|cloud|cn|eu|us|uk|de|internal|local|localdomain|lan|corp|svc)\b(?::\d+)?/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\b(?:sk|pk|rk|ak|key|api|token|org|organization|proj|project|acct|account|team|workspace|wrkspc|user|tenant|cus)[-_][a-z0-9_-]*\d[a-z0-9_-]*/gi,
  /\bprojects\/[\w.:-]+/gi,
  /\bbearer\s+\S+/gi,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /(?<![\w-])(?:AIza|eyJ)[\w.-]{16,}/g,
  /(?<![\w-])(?=[A-Za-z]*\d)[A-Za-z0-9]{24,}(?![\w-])/g,
];
const MAX_READ_CHARS = 1_000;

/** Characters that are replaced: blanks, control characters (the database refuses NUL) and half surrogate pairs. */
const NOT_TEXT = /[\s\p{Cc}\p{Cs}]+/gu;
const CUT_CHARACTER = /\p{Cs}$/u;

/**
 * Returns an upstream's message as one line that can be stored, without our own data, of at most 500 characters;
 * `otherwise` if nothing is left.
 */
export function cleanMessage(message: string, otherwise: string): string {
  const read = message.slice(0, MAX_READ_CHARS).replace(NOT_TEXT, ' ');
  const flat = ours.reduce((text, pattern) => text.replace(pattern, '[…]'), read).trim();
  if (flat === '') return otherwise;
  return flat.length <= MAX_MESSAGE_CHARS
    ? flat
    : `${flat.slice(0, MAX_MESSAGE_CHARS - 1).replace(CUT_CHARACTER, '')}…`;
}

/** Returns the pause that the response headers request, in milliseconds: `retry-after-ms`, otherwise `retry-after`. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const exact = Number(headers['retry-after-ms'] || Number.NaN);
  if (exact >= 0 && exact < Infinity) return exact;
  return parseRetryAfter(headers['retry-after'], now);
}

/** Parses an error body in any of the forms that vendors use. */
export function parseErrorBody(text: string): Pick<UpstreamRefusal, 'message' | 'code'> {
  try {
    return parseErrorValue(JSON.parse(text));
  } catch {
    // An error page of a proxy, which contains nothing for the client.
    return {};
  }
}

/** Like `parseErrorBody`, for a parsed value: an object with `error`, or with `message` and `code` itself. */
export function parseErrorValue(value: unknown): Pick<UpstreamRefusal, 'message' | 'code'> {
  const outer = fieldsOf(value);
  if (typeof outer.error === 'string') return { message: outer.error, code: textOf(outer.code) };
  const inner = outer.error === undefined ? outer : fieldsOf(outer.error);
  const details = fieldsOf(inner.details);
  return {
    message: textOf(inner.message) ?? textOf(inner.msg),
    code: textOf(details.error_code) ?? textOf(inner.code) ?? textOf(inner.type),
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
