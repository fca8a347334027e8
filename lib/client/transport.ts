import { apiErrorOf, ApiError, ConnectionError } from './errors';
import { backoffMs, wait } from './wait';

export interface ClientOptions {
  /** The base URL of the installation, such as `https://media.example.com`. */
  readonly baseUrl: string;
  /**
   * A key of Patchbay. Do not use it in a browser, because a key in a page is public; call a server of your own
   * instead.
   */
  readonly apiKey: string;
  /** How many times a request that may be repeated is tried again. Default: 2. */
  readonly maxRetries?: number;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

interface Call extends RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Whether the request may safely be sent twice. GET and DELETE requests always may. */
  readonly isRepeatable?: boolean;
}

/** If the response demands a longer pause, the error is left to the caller. */
const MAX_PAUSE_MS = 60_000;

/** Sends requests with the key, and repeats those that may be repeated. */
export class Transport {
  readonly #fetch: typeof fetch;
  readonly #maxRetries: number;
  readonly #apiKey: string;
  readonly baseUrl: string;

  constructor({ baseUrl, apiKey, maxRetries = 2, fetch: given }: ClientOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#apiKey = apiKey;
    this.#maxRetries = maxRetries;
    // Called as a plain function: browsers refuse `fetch` with another `this`.
    this.#fetch = given ?? ((...args) => fetch(...args));
  }

  /**
   * Resolves to the response as soon as its headers have arrived. Rejects with an ApiError, a ConnectionError, or the
   * reason of the signal.
   */
  async open(path: string, call: Call = {}): Promise<Response> {
    const { method = 'GET', isRepeatable = method === 'GET' || method === 'DELETE', signal } = call;
    for (let attempt = 0; ; attempt += 1) {
      const failure = await this.#try(path, method, call);
      if (failure instanceof Response) return failure;
      const isLast = !isRepeatable || attempt >= this.#maxRetries;
      const pauseMs = pauseAfter(failure, attempt);
      if (isLast || pauseMs === undefined) throw failure;
      await wait(pauseMs, signal);
    }
  }

  /** Returns the body of a JSON response. */
  async json<Answer>(path: string, call?: Call): Promise<Answer> {
    return (await (await this.open(path, call)).json()) as Answer;
  }

  /** Returns the URL of a socket, with the key or a ticket. */
  socketUrl(path: string, token: string = this.#apiKey): string {
    return `${this.baseUrl.replace(/^http/, 'ws')}${path}?token=${encodeURIComponent(token)}`;
  }

  async #try(path: string, method: string, { body, headers, signal }: Call): Promise<Response | Error> {
    try {
      const response = await this.#fetch(this.baseUrl + path, {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${this.#apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      // 304 is the response to a conditional request.
      return response.ok || response.status === 304 ? response : await apiErrorOf(response);
    } catch (error) {
      signal?.throwIfAborted();
      return new ConnectionError(`${this.baseUrl} could not be reached.`, { cause: error });
    }
  }
}

/** Returns the milliseconds until the next attempt; undefined if there is none. */
function pauseAfter(failure: Error, attempt: number): number | undefined {
  if (!(failure instanceof ApiError)) return backoffMs(attempt);
  if (!(failure.shouldRetry ?? mayPass(failure.status))) return undefined;
  const pauseMs = failure.retryAfterMs ?? backoffMs(attempt);
  return pauseMs <= MAX_PAUSE_MS ? pauseMs : undefined;
}

/**
 * Whether the failure may be temporary. For responses without `x-should-retry`, such as those of a proxy in front of
 * the gateway.
 */
const mayPass = (status: number) => status === 408 || status === 429 || status >= 500;
