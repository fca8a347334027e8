import type { ByteRange } from '../domain/files';
import type { Log } from '../domain/log';
import { rangeHeader } from '../io/file-response';
import type { Deadline } from './deadline';
import { startDeadline } from './deadline';
import type { Destination } from './destination';
import type { ConnectionDeps } from './guarded-connection';
import { createConnectionGuard, joinHeaders, redirectTarget } from './guarded-connection';
import type { UrlUse } from './outbound-error';
import { fileTooLarge, isOutboundError, outboundFailed, transportReason } from './outbound-error';
import type { WhenLonger } from './read-body';
import { declaredLength, readBody } from './read-body';

// Calls a URL that a customer gave us, through the SSRF guard, and reads the answer into memory.

export interface OutboundDeps extends ConnectionDeps {
  readonly userAgent: string;
  readonly log: Log;
}

interface OutboundRequest extends UrlUse {
  /** Default `GET`; only `GET` follows redirects. */
  readonly method?: 'GET' | 'POST';
  /** Sent only on the first hop. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent on every hop; a server may ignore it and answer with 200. */
  readonly range?: ByteRange;
  readonly body?: string;
  /** The limit in decoded bytes of the response. */
  readonly maxBytes: number;
  /**
   * `refuse` (the default) rejects with `media_too_large`; `stop` keeps what fits; `cut` keeps what fits, and also what
   * arrived before a failure.
   */
  readonly whenLonger?: WhenLonger;
  /**
   * Called before the body of the answer is read; `bytes` is its length, or `maxBytes` if the server does not state
   * one. If it returns false, the body is left unread and `body` is empty. Not called for a body that is refused.
   */
  readonly wantsBody?: (answer: { readonly status: number; readonly bytes: number }) => boolean;
  /** The time limit from the first DNS lookup to the last byte, including redirects. */
  readonly totalMs: number;
  /**
   * The maximum number of redirects. With 0 a redirect is returned as the response; otherwise exceeding it is an error.
   */
  readonly redirects: number;
  readonly signal?: AbortSignal;
}

interface OutboundResponse {
  readonly status: number;
  /** Names in lower case; repeated ones joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The URL of the response, after redirects. */
  readonly url: URL;
  /** The address that answered. */
  readonly address: string;
}

export interface Outbound {
  /**
   * Checks syntax and IP literals, synchronously. Throws `url_not_allowed`. Use the returned URL and not the input
   * text.
   */
  checkUrl(text: string, use: UrlUse): URL;
  /** Checks the addresses that a name resolves to, if it resolves in time; otherwise `fetch` does. */
  checkName(url: URL, use: UrlUse & { readonly withinMs: number }): Promise<void>;
  /**
   * Rejects with an OutboundError (`url_not_allowed`, `media_unreachable`, `media_too_large`, `media_invalid`), or with
   * the reason of the caller's own signal. Any status of the answer resolves.
   */
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>;
  /** Aborts every request in progress. */
  close(): Promise<void>;
}

type HopResult =
  | { readonly kind: 'answer'; readonly answer: OutboundResponse }
  | { readonly kind: 'redirect'; readonly location: string };

const BODY_IDLE_TIMEOUT_MS = 30_000;

export function createOutbound(deps: OutboundDeps): Outbound {
  const guard = createConnectionGuard(deps, { bodyTimeoutMs: BODY_IDLE_TIMEOUT_MS });

  async function requestHop(
    destination: Destination,
    request: OutboundRequest,
    isFirst: boolean,
    deadline: Deadline,
  ): Promise<HopResult> {
    const connection = await guard.connect(destination, request, deadline);
    try {
      const response = await connection.client.request({
        path: destination.url.pathname + destination.url.search,
        method: request.method ?? 'GET',
        headers: {
          'user-agent': deps.userAgent,
          'accept-encoding': 'identity',
          accept: '*/*',
          ...rangeHeader(request.range),
          ...(isFirst ? request.headers : {}),
        },
        body: request.body ?? null,
        reset: true,
        signal: deadline.signal,
      });
      const headers = joinHeaders(response.headers);
      const follows = request.redirects > 0 && (request.method ?? 'GET') === 'GET';
      const location = follows ? redirectTarget(response.statusCode, headers, destination.url) : undefined;
      if (location !== undefined) {
        response.body.on('error', () => {}).destroy();
        return { kind: 'redirect', location };
      }
      const answerWith = (body: Buffer): HopResult => ({
        kind: 'answer',
        answer: {
          status: response.statusCode,
          headers,
          body,
          url: destination.url,
          address: connection.address(),
        },
      });
      const bytes = declaredLength(headers) ?? request.maxBytes;
      if (bytes <= request.maxBytes && request.wantsBody?.({ status: response.statusCode, bytes }) === false) {
        response.body.on('error', () => {}).destroy();
        return answerWith(Buffer.alloc(0));
      }
      const read = await readBody(response.body, headers, request.maxBytes, request.whenLonger ?? 'refuse');
      switch (read.kind) {
        case 'too_large':
          throw fileTooLarge(request, request.maxBytes, connection.address());
        case 'encoding':
          throw outboundFailed('encoding', request, connection.address());
        case 'broken':
          throw read.error;
        case 'read':
          return answerWith(read.bytes);
      }
    } catch (error) {
      if (isOutboundError(error)) throw error;
      const reason = deadline.passed() ? 'timeout' : transportReason(error);
      throw reason === undefined ? error : outboundFailed(reason, request, connection.address());
    } finally {
      await connection.close();
    }
  }

  async function fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse> {
    const deadline = startDeadline(deps.clock, request.totalMs, request.signal);
    let host: string | undefined;
    try {
      let text = String(url);
      for (let hop = 0; hop <= request.redirects; hop += 1) {
        const destination = guard.parse(text, request);
        host = destination.host;
        const result = await requestHop(destination, request, hop === 0, deadline);
        if (result.kind === 'answer') return result.answer;
        text = result.location;
      }
      throw outboundFailed('redirect', request);
    } catch (error) {
      // An abort by the caller is not a failure of the URL.
      request.signal?.throwIfAborted();
      const code = isOutboundError(error) ? error.reason : 'unexpected';
      const level = code === 'not_allowed' || code === 'unexpected' ? 'warn' : 'info';
      deps.log[level]('request to a customer URL failed', { code, ...(host === undefined ? {} : { host }) });
      throw error;
    } finally {
      deadline.end();
    }
  }

  return {
    checkUrl: (text, use) => guard.parse(text, use).url,
    checkName: guard.checkName,
    fetch,
    close: guard.close,
  };
}
