import type { Readable } from 'node:stream';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { Gateway } from '../gateway';
import { linkSignals } from '../io/linked-signal';
import type { BodyShare } from '../limits/body-budget';
import { gateway } from '../runtime';
import { answer } from './endpoint';
import { isStream, type GatewayRequest, type GatewayResponse } from './handler';
import { PEER_HEADER, provenPeer } from './forwarded-peer';
import { createAddressReader } from '../net/client-address';
import { bodyDeadlineMs, bodyTooSlow } from './body-pace';
import { bodyTooLarge } from './request-body';
import { routeTable } from './routes';

// The second mount: the same handlers behind Next's route files, for `next start` and as the declared API. A Web
// handler cannot know how its response ended, so `onEnd` is never called here.

type WebHandler = (request: Request) => Promise<Response>;

/** The client address if it is unknown: reserved, so that no allow-list contains it. */
const UNKNOWN_ADDRESS = '0.0.0.0';

/** Returns the handlers of the route file at `pattern` of the route table; the table refuses other methods. */
export function toWeb(
  pattern: string,
): Readonly<Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', WebHandler>> {
  if (!routeTable.endpoints.some((endpoint) => endpoint.pattern === pattern))
    throw new Error(`The route table has no ${pattern}.`);
  return allMethods();
}

/** Returns the handlers of the catch-all route file, so that its 404 has our error format. */
export function toWebUnknown(): ReturnType<typeof toWeb> {
  return allMethods();
}

function allMethods(): ReturnType<typeof toWeb> {
  const handle: WebHandler = async (request) => {
    const installed = gateway();
    const received = gatewayRequest(request, installed);
    return webResponse(await answer(installed, received, routeTable.find(received.path)));
  };
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
}

/** Converts a Web request to a handler's request. */
export function gatewayRequest(request: Request, { clock, config }: Pick<Gateway, 'clock' | 'config'>): GatewayRequest {
  const { pathname, searchParams } = new URL(request.url);
  const ended = new AbortController();
  let openShare: (() => BodyShare) | undefined;
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(request.headers),
    remoteAddress: remoteAddressOf(request, config.trustedProxies),
    signal: linkSignals(request.signal, ended.signal).signal,
    abort: (reason) => ended.abort(reason),
    countBody: (open) => {
      openShare = open;
    },
    readBody: (maxBytes) => readWebBody(request, maxBytes, clock, openShare?.()),
  };
}

/** Converts a handler's response to a Web response. */
export function webResponse(response: GatewayResponse): Response {
  const { status, headers, body } = response;
  const init = { status, headers: { ...headers } };
  if (body === undefined || typeof body === 'string') return new Response(body ?? null, init);
  if (isStream(body)) return new Response(webStream(body, Number(headers['content-length'] ?? Number.NaN)), init);
  return new Response(new Uint8Array(body), init);
}

// Behind our own server, the peer is the one that it attested. Under `next start` the peer is unknown; if proxies are
// trusted, one of them must be in front, so the peer is taken for it.
function remoteAddressOf(request: Request, trustedProxies: readonly string[]): string {
  const proven = provenPeer(request.headers.get(PEER_HEADER));
  if (proven !== undefined) return proven;
  const first = trustedProxies[0]?.split('/')[0];
  const forwardedFor = request.headers.get('x-forwarded-for');
  if (first === undefined || forwardedFor === null) return UNKNOWN_ADDRESS;
  return createAddressReader(trustedProxies)(first, forwardedFor);
}

/**
 * Reads the whole body, counting its bytes. Rejects with `request_too_large`, with `request_timeout` when it arrives
 * too slowly, and with `malformed_request` when it breaks off.
 */
export async function readWebBody(
  request: Request,
  maxBytes: number,
  clock: Clock,
  share?: BodyShare,
): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const startedAt = clock.nowMs();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (let part = await readPart(); !part.done; part = await readPart()) {
    length += part.value.length;
    if (length > maxBytes) {
      stopReading();
      throw bodyTooLarge(maxBytes);
    }
    try {
      share?.grow(length);
    } catch (error) {
      stopReading();
      throw error;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, length);

  /** Resolves with the next chunk; rejects if it does not arrive in time. */
  function readPart(): Promise<ReadableStreamReadResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      const cancelTimer = clock.after(Math.max(0, startedAt + bodyDeadlineMs(length) - clock.nowMs()), () => {
        reject(bodyTooSlow());
        stopReading();
      });
      reader.read().then(
        (part) => {
          cancelTimer();
          resolve(part);
        },
        // The client's connection failed. Its error code would make it look like a database failure.
        () => {
          cancelTimer();
          reject(
            new GatewayError('malformed_request', 'The body ended before it was complete. Send the request again.'),
          );
        },
      );
    });
  }
  // Not awaited: the cancellation ends only when the client stops sending.
  function stopReading(): void {
    reader.cancel().catch(() => undefined);
  }
}

// Not `Readable.toWeb`: on Node 20 a reader that cancels makes it throw outside every promise ("Controller is already
// closed"), which ends the process. An error after a cancel here rejects the promise of `pull`, which is ignored.
function webStream(body: Readable, expectedBytes: number): ReadableStream<Uint8Array> {
  // Safe: every body stream carries bytes.
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (!next.done) {
        sent += next.value.length;
        controller.enqueue(next.value);
      } else if (sent < expectedBytes) controller.error(new Error('the source ended before its length'));
      else controller.close();
    },
    cancel() {
      body.destroy();
    },
  });
}
