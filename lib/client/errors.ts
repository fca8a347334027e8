import type { ErrorJson } from '../contract/errors';
import type { VideoJson } from '../contract/videos';

// The errors of this package as classes. Every error that the package itself throws is a PatchbayError.

export class PatchbayError extends Error {
  override name = 'PatchbayError';
}

type Facts = Partial<ErrorJson['error']>;

/** An error response of the API. Its message is a sentence that says what was wrong and what to do. */
export class ApiError extends PatchbayError {
  override name = 'ApiError';
  /**
   * The name of the error, such as `invalid_size`; undefined if the response came from something in front of the
   * gateway.
   */
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** The field of the request. */
  readonly param: string | undefined;
  /** The id of the request. Quote it when you report a problem. */
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly #facts: Facts;

  constructor(
    /** The HTTP status. */
    readonly status: number,
    facts: Facts,
    /** How long to wait before another attempt, if the response said so. */
    readonly retryAfterMs?: number,
    /**
     * The header `x-should-retry`: whether the same request may succeed later. Undefined if the response did not say.
     */
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

/** 400, 413, 415, 422: the request itself is invalid. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}
/** 401: the key is missing, unknown or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/** 402: the credits, or the limit of the key or its project, are not sufficient. */
export class CreditsError extends ApiError {
  override name = 'CreditsError';
}
/** 403: the key or the policy does not allow the request. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
/** 404: there is no such object. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 409: the state does not allow the request, such as reading the file of a video that has not ended. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** 410: the file is no longer kept. */
export class ExpiredError extends ApiError {
  override name = 'ExpiredError';
}
/** 429: a limit was reached. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
/** 5xx: the server or a provider has failed. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** No response arrived: the URL is wrong, or the connection was lost. The cause is the error of `fetch`. */
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

/** A webhook that must not be trusted. Answer it with 400. */
export class WebhookSignatureError extends PatchbayError {
  override name = 'WebhookSignatureError';
}

/** An error message of a socket, or a close without one. */
export class SocketError extends PatchbayError {
  override name = 'SocketError';

  constructor(
    message: string,
    /** The HTTP status of the error message, or the close code of the socket. */
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

/** Reads the body of an unsuccessful response and returns its error. */
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
