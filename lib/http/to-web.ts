import type { Readable } from 'node:stream';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { hangUpOf } from '../io/hang-up';
import type { Gateway } from '../gateway';
import { gateway } from '../runtime';
import { answer, isStream } from './endpoint';
import type { GatewayRequest, GatewayResponse } from './request-context';
import { PEER_HEADER, provenPeer } from './forwarded-peer';
import { createAddressReader } from './remote-address';
import { bodyDeadlineMs, bodyTooSlow } from './body-pace';
import { bodyTooLarge } from './request-body';
import { routeTable } from './routes';

// The second mount: the same handlers behind Next's route files, for `next start` and as the declared API. A Web handler
// cannot know how its answer left the house, and does not pretend to: `onEnd` is never told here.

type WebHandler = (request: Request) => Promise<Response>;

/** An address that nobody has: no list of allowed addresses contains it. */
const UNKNOWN_ADDRESS = '0.0.0.0';

/** The handlers of the route file at `pattern`, one of the route table; methods that it lacks are refused by the table. */
export function toWeb(
  pattern: string,
): Readonly<Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', WebHandler>> {
  if (!routeTable.endpoints.some((endpoint) => endpoint.pattern === pattern))
    throw new Error(`The route table has no ${pattern}.`);
  return allMethods();
}

/** The handlers of the route file that catches what no other does, so that its 404 is ours too. */
export function toWebUnknown(): ReturnType<typeof toWeb> {
  return allMethods();
}

function allMethods(): ReturnType<typeof toWeb> {
  const handle: WebHandler = async (request) => {
    const installed = gateway();
    return webResponse(await answer(installed, gatewayRequest(request, installed)));
  };
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
}

/** A Web request as a handler sees it. */
export function gatewayRequest(request: Request, { clock, config }: Pick<Gateway, 'clock' | 'config'>): GatewayRequest {
  const { pathname, searchParams } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(request.headers),
    remoteAddress: remoteAddressOf(request, config.trustedProxies),
    hangUp: hangUpOf(request.signal),
    readBody: (maxBytes) => readWebBody(request, maxBytes, clock),
  };
}

/** An answer of a handler as a Web response. */
export function webResponse(response: GatewayResponse): Response {
  const { status, headers, body } = response;
  const init = { status, headers: { ...headers } };
  if (body === undefined || typeof body === 'string') return new Response(body ?? null, init);
  if (isStream(body)) return new Response(webStream(body, Number(headers['content-length'] ?? Number.NaN)), init);
  return new Response(new Uint8Array(body), init);
}

// Behind our own server its word counts. Under `next start` the peer is unknown, and counts as the proxy that must stand in
// front wherever proxies are trusted at all.
function remoteAddressOf(request: Request, trustedProxies: readonly string[]): string {
  const proven = provenPeer(request.headers.get(PEER_HEADER));
  if (proven !== undefined) return proven;
  const first = trustedProxies[0]?.split('/')[0];
  const forwardedFor = request.headers.get('x-forwarded-for');
  if (first === undefined || forwardedFor === null) return UNKNOWN_ADDRESS;
  return createAddressReader(trustedProxies)(first, forwardedFor);
}

/**
 * The whole body, counted while it is read. Rejects with `request_too_large`, with `request_timeout` when it comes too slowly,
 * and with `malformed_request` when it breaks off.
 */
export async function readWebBody(request: Request, maxBytes: number, clock: Clock): Promise<Buffer> {
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
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, length);

  /** The next part, if it comes in time. */
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
        // The connection of the caller failed, which its error would make look like a failure of the database's.
        () => {
          cancelTimer();
          reject(
            new GatewayError('malformed_request', 'The body ended before it was complete. Send the request again.'),
          );
        },
      );
    });
  }
  // Not awaited: the cancellation only ends when the caller stops sending.
  function stopReading(): void {
    reader.cancel().catch(() => undefined);
  }
}

// Not `Readable.toWeb`: on Node 20 a reader that cancels makes it throw outside every promise ("Controller is already
// closed"), which ends the process. What is thrown here after a cancel stays in the promise of `pull`, and is ignored.
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
