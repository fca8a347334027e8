import type { Call } from '../domain/call';
import { isGatewayError, upstreamFailed } from '../domain/errors';
import type { ContentPart, RemoteFiles, UploadSlot } from '../domain/files';
import type { FileResponse } from '../io/file-response';
import { openFile, rangeHeader } from '../io/file-response';
import { startDeadline } from './deadline';
import type { Destination } from './destination';
import type { ConnectionDeps, GuardedConnection } from './guarded-connection';
import { createConnectionGuard, joinHeaders, redirectTarget } from './guarded-connection';
import { isOutboundError, outboundFailed, transportReason } from './outbound-error';
import { parseUrl } from '../domain/url';

// Files behind URLs that an upstream returned, and uploads to such URLs. An upstream could name any URL,
// so each hop passes the SSRF guard. No credentials are sent. Each download has its own connection, which closes with
// it.

export interface RemoteFilesDeps extends ConnectionDeps {
  readonly userAgent: string;
}

export interface ClosableRemoteFiles extends RemoteFiles {
  /** Ends every download and upload; later ones are refused. */
  close(): Promise<void>;
}

const use = { purpose: 'file' } as const;
const MAX_REDIRECTS = 5;
/** The time limit of one hop, from the DNS lookup to the response headers. */
const HEADERS_TIMEOUT_MS = 30_000;
/** The time limit of an upload, from the DNS lookup to the status of the response. */
const UPLOAD_TIMEOUT_MS = 120_000;
/** Signed URLs of storage services are longer than the URLs that callers may use. */
const MAX_URL_CHARS = 8_192;
/** Bytes of a body that are read ahead of the consumer. */
const READ_AHEAD_BYTES = 64 * 1024;
/** Headers that belong to the connection and not to the upload. */
const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'expect', 'host', 'transfer-encoding']);

export function createRemoteFiles(deps: RemoteFilesDeps): ClosableRemoteFiles {
  // No timeout here: the reader of the body has its own timeout for silence.
  const guard = createConnectionGuard(deps, { maxUrlChars: MAX_URL_CHARS, bodyTimeoutMs: 0 });

  /** Follows redirects and resolves with the first response that is not a redirect. */
  async function request(url: string, method: 'GET' | 'HEAD', part: ContentPart, call: Call): Promise<FileResponse> {
    let text = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const destination = guard.parse(text, use);
      const response = await requestHop(destination, method, part, call);
      const location = redirectTarget(response.status, response.headers, destination.url);
      if (location === undefined) return response;
      response.body.destroy();
      text = location;
    }
    throw outboundFailed('redirect', use);
  }

  async function requestHop(
    destination: Destination,
    method: 'GET' | 'HEAD',
    part: ContentPart,
    call: Call,
  ): Promise<FileResponse> {
    const response = await send(destination, HEADERS_TIMEOUT_MS, call, (connection, signal) =>
      connection.client.request({
        path: destination.url.pathname + destination.url.search,
        method,
        headers: {
          'user-agent': deps.userAgent,
          'accept-encoding': 'identity',
          accept: '*/*',
          ...rangeHeader(part),
        },
        reset: true,
        highWaterMark: READ_AHEAD_BYTES,
        signal,
      }),
    );
    return { status: response.statusCode, headers: joinHeaders(response.headers), body: response.body };
  }

  /** Sends one request and resolves when the headers have arrived. The connection closes with the body. */
  async function send(
    destination: Destination,
    withinMs: number,
    call: Call,
    run: (connection: GuardedConnection, signal: AbortSignal) => ReturnType<GuardedConnection['client']['request']>,
  ): ReturnType<GuardedConnection['client']['request']> {
    const deadline = startDeadline(deps.clock, withinMs, call.signal);
    try {
      const connection = await guard.connect(destination, use, deadline);
      try {
        const response = await run(connection, deadline.signal);
        // A destroyed body emits an error; without a listener it would end the process.
        response.body.on('error', () => {}).once('close', () => void connection.close());
        return response;
      } catch (error) {
        await connection.close();
        throw error;
      }
    } catch (error) {
      throw deadline.passed() ? outboundFailed('timeout', use) : error;
    } finally {
      deadline.end();
    }
  }

  async function upload(slot: UploadSlot, body: Uint8Array, call: Call): Promise<number> {
    const destination = guard.parse(slot.url, use);
    const given = Object.entries(slot.headers).filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()));
    const response = await send(destination, UPLOAD_TIMEOUT_MS, call, (connection, signal) =>
      connection.client.request({
        path: destination.url.pathname + destination.url.search,
        method: slot.method,
        headers: { 'user-agent': deps.userAgent, ...Object.fromEntries(given) },
        body,
        reset: true,
        signal,
      }),
    );
    response.body.destroy();
    return response.statusCode;
  }

  return {
    async open(url, part, call) {
      try {
        return await openFile((method, wanted) => request(url, method, wanted, call), part, {
          clock: deps.clock,
          signal: call.signal,
        });
      } catch (error) {
        call.signal.throwIfAborted();
        if (isGatewayError(error) && !isOutboundError(error)) throw error;
        throw upstreamFailed(
          { retry: 'later', started: 'maybe' },
          `The file could not be read: ${reasonOf(error, url, call)}.`,
          'upstream_content_unavailable',
        );
      }
    },

    async upload(slot, body, call) {
      let status: number;
      try {
        status = await upload(slot, body, call);
      } catch (error) {
        call.signal.throwIfAborted();
        const detail = `The file could not be uploaded: ${reasonOf(error, slot.url, call)}.`;
        throw upstreamFailed({ retry: 'later', started: 'no' }, detail);
      }
      if (status >= 200 && status < 300) return;
      const mayPass = status >= 500 || status === 408 || status === 429;
      const detail = `The server responded to the upload with status ${status}.`;
      throw upstreamFailed({ retry: mayPass ? 'later' : 'elsewhere', started: 'no' }, detail);
    },

    close: guard.close,
  };
}

/** Returns the reason of a failure in one word, and logs it with the host of the URL. */
function reasonOf(error: unknown, url: string, call: Call): string {
  const reason = isOutboundError(error) ? error.reason : (transportReason(error) ?? 'unexpected');
  const level = reason === 'not_allowed' || reason === 'unexpected' ? 'warn' : 'info';
  const host = parseUrl(url)?.hostname;
  call.log[level]('request to a URL of a provider failed', { code: reason, ...(host !== undefined && { host }) });
  return reason;
}
