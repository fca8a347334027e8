import type { ErrorJson } from '../contract/errors';
import type { VideoJson } from '../contract/videos';

// What can go wrong, as classes. Everything that this package throws of its own is a PatchbayError.

export class PatchbayError extends Error {
  override name = 'PatchbayError';
}

type Facts = Partial<ErrorJson['error']>;

/** An error answer of the API. Its message is a sentence that says what was wrong and what to do. */
export class ApiError extends PatchbayError {
  override name = 'ApiError';
  /** The name of the error, such as `invalid_size`; undefined if something in front of the gateway answered. */
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** The field of the request. */
  readonly param: string | undefined;
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly #facts: Facts;

  constructor(
    /** The HTTP status. */
    readonly status: number,
    facts: Facts,
    /** How long to wait before another attempt, if the answer said so. */
    readonly retryAfterMs?: number,
    /** The header `x-should-retry`: the same request may succeed later. undefined: the answer did not say. */
    readonly shouldRetry?: boolean,
  ) {
    super(facts.message ?? `The server answered with status ${status}.`);
    this.code = facts.code;
    this.type = facts.type;
    this.param = facts.param ?? undefined;
    this.requestId = facts.request_id;
    this.details = facts.details;
    this.#facts = facts;
  }

  /** The error as the API answered it. */
  toJSON(): { readonly error: Facts } {
    return { error: this.#facts };
  }
}

/** 400, 413, 415, 422: the request itself is wrong. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}
/** 401: the key is missing, unknown or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/** 402: the credits, or the limit of the key or its project, do not suffice. */
export class CreditsError extends ApiError {
  override name = 'CreditsError';
}
/** 403: the key or the policy does not allow it. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
/** 404. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 409: the state does not allow it, such as the file of a video that has not ended. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** 410: the file is not kept any more. */
export class ExpiredError extends ApiError {
  override name = 'ExpiredError';
}
/** 429: a limit was reached. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
/** 5xx. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** No answer arrived: the URL is wrong, or the connection broke. The cause is the error of `fetch`. */
export class ConnectionError extends PatchbayError {
  override name = 'ConnectionError';
}

/** A video failed. It costs nothing. */
export class VideoFailedError extends PatchbayError {
  override name = 'VideoFailedError';
  /** Such as `content_policy_violation`. */
  readonly code: string | undefined;

  constructor(readonly video: VideoJson) {
    super(video.error?.message ?? 'The video failed.');
    this.code = video.error?.code;
  }
}

/** A webhook that must not be believed. Answer it with 400. */
export class WebhookSignatureError extends PatchbayError {
  override name = 'WebhookSignatureError';
}

/** An error message of a socket, or its end without one. */
export class SocketError extends PatchbayError {
  override name = 'SocketError';

  constructor(
    message: string,
    /** An HTTP status of the error message, or the close code of the socket. */
    readonly code: number,
  ) {
    super(message);
  }
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  402: CreditsError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: ExpiredError,
  429: RateLimitError,
};

/** The error of an answer that is not successful. Reads its body. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const facts: Facts = (body as Partial<ErrorJson> | undefined)?.error ?? {};
  const requestId = facts.request_id ?? response.headers.get('x-request-id');
  const Class = CLASSES[response.status] ?? (response.status < 500 ? BadRequestError : ServerError);
  return new Class(
    response.status,
    requestId === null ? facts : { ...facts, request_id: requestId },
    retryAfterOf(response),
    shouldRetryOf(response),
  );
}

function shouldRetryOf({ headers }: Response): boolean | undefined {
  const text = headers.get('x-should-retry');
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

function retryAfterOf({ headers }: Response): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return ms;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds * 1_000 : undefined;
}
