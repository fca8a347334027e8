import http from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { errorForLog, GatewayError } from '../lib/domain/errors';
import type { Config } from '../lib/config/config';
import type { Gateway } from '../lib/gateway';
import { answer } from '../lib/http/endpoint';
import { bodyDeadlineMs } from '../lib/http/body-pace';
import { hostName, isLoopbackName } from '../lib/http/own-host';
import { checkPageRequest } from '../lib/http/page-request';
import { PEER_HEADER, attestPeerAddress } from '../lib/http/forwarded-peer';
import { createAddressReader, createProxyCheck, networkOf } from '../lib/net/client-address';
import type { Destination } from '../lib/http/route-table';
import { routeTable } from '../lib/http/routes';
import { createNodeContext, LINGER_TIMEOUT_MS, type NodeContext, type NodeContextDeps } from './node-context';
import { writeHttpError } from './write-http-error';
import { createUpgradeRouter } from './sockets/upgrade';
import type { NextUpgrade, SocketSessions } from './sockets/upgrade';
import { createUnfinishedRequests, malformedRequest } from './request-guards';

// The HTTP server. It decides once where a request goes: routes of the route table are answered here directly and without
// Next, which would cost ten times as much; pages and next-auth's own routes go to Next. Both receive only requests with
// an unambiguous path.

/** Headers that take longer are an attack, not a slow connection. */
const HEADERS_MS = 10_000;
/** The maximum time for a body; the minimum rate is checked while it is read (`node-context.ts`). */
const REQUEST_MS = 300_000;
/**
 * Longer than the idle timeout of common load balancers, so that they close first and no request arrives on a closing
 * socket.
 */
const KEEP_ALIVE_MS = 75_000;
const SWEEP_INTERVAL_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_REQUESTS_PER_SOCKET = 1_000;

const HANDSHAKE_MS = 10_000;

/** When a client whose network has too many unfinished requests may try again. */
const CROWDED_RETRY_SECONDS = 5;

/** Next's route files answer a late body with an error; the connection is cut this long after it. */
const PAGE_BODY_GRACE_MS = 5_000;

const WORKER_PATHS: readonly string[] = ['/livez', '/readyz'];

/** A year. */
const HSTS = 'max-age=31536000';

const STOP_MS = 30_000;
/** Time for cut connections to close, which is when their responses are charged. */
const CUT_MS = 2_000;
const STOP_SWEEP_INTERVAL_MS = 200;
/** How long after the start of a stop a connection may still deliver its first request. */
const SILENT_MS = 1_000;

export interface HttpServerDeps {
  readonly gateway: Gateway;
  /** Next's `getRequestHandler()`; absent: there are no pages, and their paths are answered with 404. */
  readonly nextHandler?: (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;
  /** PEM, to serve https directly. */
  readonly tls?: { readonly cert: Buffer | string; readonly key: Buffer | string };
  /** The handlers of the socket paths; a path without an entry is answered with 404. */
  readonly sessions?: SocketSessions;
  /** How long `close` waits for running responses before it cuts them; default 30 s. */
  readonly stopMs?: number;
}

export interface HttpServer {
  /** Resolves with the actual port; rejects when it is in use. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting connections, waits at most `stopMs` for running responses, then cuts the rest. Resolves when all
   * connections are closed. Safe to repeat.
   */
  close(): Promise<void>;
}

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { gateway, nextHandler = withoutPages, stopMs = STOP_MS } = deps;
  const { clock, log } = gateway;
  const readAddress = createAddressReader(gateway.config.trustedProxies);
  const isTrustedProxy = createProxyCheck(gateway.config.trustedProxies);
  // For each connection: the pending responses with their requests, and what to do once the last one is sent.
  const answersDue = new WeakMap<Duplex, Map<ServerResponse, NodeContext>>();
  const afterAnswers = new WeakMap<Duplex, () => void>();
  // Connections that have not sent a request yet, such as those that browsers open in advance. Node does not count them
  // as idle, so they would delay a stop.
  const silent = new Set<Duplex>();
  const unfinished = createUnfinishedRequests(clock, cutUnfinished, hasArrived);
  let closing: Promise<void> | undefined;
  const contextDeps: NodeContextDeps = {
    clock,
    readAddress,
    spareControllers: new WeakMap(),
    onClose: ({ socket }, res) => {
      const due = answersDueOn(socket);
      due.delete(res);
      // A request behind this one may still be arriving.
      if (due.size === 0 || hasArrived(socket)) unfinished.end(socket);
      if (due.size === 0) afterAnswers.get(socket)?.();
    },
    onError: (error) => log.error('the end of a response could not be recorded', { error: errorForLog(error) }),
  };

  /**
   * While stopping, connections close after their response, so that clients connect to another process for the next
   * one.
   */
  const isStopping = () => closing !== undefined || gateway.phase() === 'draining';

  function answersDueOn(socket: Duplex): Map<ServerResponse, NodeContext> {
    let due = answersDue.get(socket);
    if (!due) answersDue.set(socket, (due = new Map()));
    return due;
  }

  /** Whether the request that this connection sent last is complete. False before its first request. */
  function hasArrived(socket: Duplex): boolean {
    const last = [...answersDueOn(socket).keys()].at(-1);
    return last !== undefined && last.req.complete;
  }

  function cutUnfinished(socket: Duplex): void {
    const error = new GatewayError(
      'rate_limit_exceeded',
      'Too many unfinished requests came from your network. Send each request in one go, and fewer at a time.',
      { retryAfterSeconds: CROWDED_RETRY_SECONDS },
    );
    const [context, ...others] = answersDueOn(socket).values();
    if (!context) writeHttpError(socket, error, clock);
    // Behind another response, the refusal could wait for long.
    else if (others.length > 0 || !context.refuseBody(error)) socket.destroy();
  }

  function receive(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    const { socket } = req;
    silent.delete(socket);
    const bodied = hasBody(req);
    if (bodied) watchBody(req);
    else unfinished.end(socket);
    // Browsers apply HSTS to all ports of a host name, and localhost has many servers.
    if (deps.tls && !isLoopbackName(hostName(req.headers.host) ?? '')) res.setHeader('strict-transport-security', HSTS);
    const target = req.url ?? '';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const context = createNodeContext(
      req,
      res,
      { path, search: mark < 0 ? '' : target.slice(mark + 1), expectsContinue },
      contextDeps,
    );
    answersDueOn(socket).set(res, context);
    const { request } = context;
    const malformed = malformedRequest(req);
    const found: Destination = malformed
      ? { kind: 'refused', error: malformed }
      : destinationOn(gateway.config.role, routeTable.find(path));
    const destination = found.kind === 'page' ? (checkPageRequest(request, found.path, gateway) ?? found) : found;
    if (destination.kind !== 'page') {
      answer(gateway, request, destination)
        .then((response) => context.send(response, !malformed && !isStopping()))
        .catch((error: unknown) => {
          log.error('an answer could not be sent', { error: errorForLog(error) });
          res.destroy();
        });
      return;
    }
    if (expectsContinue) res.writeContinue();
    if (isStopping()) res.shouldKeepAlive = false;
    prepareForNext(req, request.remoteAddress);
    if (bodied) limitBody(req, res);
    callNext(req, res);
  }

  /** Counts the request as unfinished until its body has arrived. */
  function watchBody(req: IncomingMessage): void {
    const { socket } = req;
    waitForRequest(socket);
    req.once('end', () => {
      if (hasArrived(socket)) unfinished.end(socket);
    });
  }

  function waitForRequest(socket: Duplex): void {
    const peer = 'remoteAddress' in socket ? String(socket.remoteAddress) : '';
    // A proxy carries many clients, and limits them itself.
    if (!isTrustedProxy(peer)) unfinished.begin(socket, networkOf(peer));
  }

  /** Limits the time of a body: Next has no limit for it, and Node has none for a body that is not read. */
  function limitBody(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    const startedAtMs = clock.nowMs();
    const bytesBefore = socket.bytesRead;
    const leftMs = () =>
      startedAtMs + bodyDeadlineMs(socket.bytesRead - bytesBefore) + PAGE_BODY_GRACE_MS - clock.nowMs();
    let cancel = clock.after(leftMs(), check);
    function check(): void {
      if (req.complete) return;
      const ms = leftMs();
      if (ms > 0) cancel = clock.after(Math.ceil(ms), check);
      else socket.destroy();
    }
    res.once('finish', () => {
      cancel();
      if (req.complete) return;
      clock.after(LINGER_TIMEOUT_MS, () => {
        if (!req.complete) socket.destroy();
      });
    });
    res.once('close', () => cancel());
  }

  function callNext(req: IncomingMessage, res: ServerResponse): void {
    Promise.resolve()
      .then(() => nextHandler(req, res))
      .catch((error: unknown) => {
        log.error('a page failed', { error: errorForLog(error) });
        if (res.headersSent) res.destroy();
        else
          res
            .writeHead(500, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
            .end('An internal error occurred. Try again.');
      });
  }

  const server = createServer(deps.tls, (req, res) => receive(req, res, false));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => receive(req, res, true));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Further bytes on a connection that closes after its response.
    if (error.code === 'HPE_CLOSED_CONNECTION' && answersDueOn(socket).size > 0) return;
    // An error response in the middle of another response would be malformed.
    if (error.code === 'ECONNRESET' || answersDueOn(socket).size > 0) socket.destroy();
    else writeHttpError(socket, clientError(error.code), clock);
  });
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    const error = new GatewayError(
      'malformed_request',
      'This server is not a proxy. Send the path of one of its own URLs.',
    );
    if (answersDueOn(socket).size > 0) refuseAfterAnswers(socket, error);
    else writeHttpError(socket, error, clock);
  });
  const upgrades = createUpgradeRouter({
    gateway,
    server,
    sessions: deps.sessions ?? {},
    nextUpgrade: captureNextUpgrade(server, gateway.config.production),
  });
  server.on('upgrade', (req, socket, head) => {
    silent.delete(socket);
    unfinished.end(socket);
    if (answersDueOn(socket).size === 0) return upgrades.receive(req, socket, head);
    refuseAfterAnswers(
      socket,
      new GatewayError(
        'malformed_request',
        'A connection can only be upgraded when no response is pending on it. Open a separate connection for a WebSocket.',
      ),
    );
  });
  server.on(deps.tls ? 'secureConnection' : 'connection', (socket: Duplex) => {
    silent.add(socket);
    waitForRequest(socket);
    socket.once('close', () => {
      silent.delete(socket);
      unfinished.end(socket);
      // Node does not notify a pipelined response that waits behind another one, so its work would go on.
      for (const res of answersDueOn(socket).keys()) if (res.socket === null) res.destroy().emit('close');
    });
  });

  /**
   * Refuses an upgrade or a tunnel once the pending responses are sent: it would take over the connection, and its data
   * would mix with theirs.
   */
  function refuseAfterAnswers(socket: Duplex, error: GatewayError): void {
    // Node has removed its own error listener.
    socket.on('error', () => socket.destroy());
    socket.resume();
    afterAnswers.set(socket, () => writeHttpError(socket, error, clock));
  }

  async function stop(): Promise<void> {
    const closed = new Promise<'closed'>((resolve) => server.close(() => resolve('closed')));
    upgrades.close();
    const startedAt = clock.nowMs();
    for (let ms = 0; ms < stopMs; ms = clock.nowMs() - startedAt) {
      // A connection becomes idle when its response is sent, and would then be kept open for another request.
      server.closeIdleConnections();
      if (ms >= SILENT_MS) for (const socket of silent) socket.destroy();
      if ((await Promise.race([closed, clock.sleep(STOP_SWEEP_INTERVAL_MS)])) === 'closed') return;
    }
    server.closeAllConnections();
    await Promise.race([closed, clock.sleep(CUT_MS)]);
  }

  return {
    listen: (port, host) => listen(server, port, host),
    close: () => (closing ??= stop()),
  };
}

function withoutPages(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(404).end();
}

/** Refuses all paths but the probes on an instance that only runs jobs. */
function destinationOn(role: Config['role'], destination: Destination): Destination {
  if (role !== 'worker') return destination;
  if (destination.kind === 'route' && WORKER_PATHS.includes(destination.endpoint.pattern)) return destination;
  return {
    kind: 'refused',
    error: new GatewayError(
      'wrong_host',
      'This instance only runs jobs and answers /livez and /readyz. Send requests to an instance whose PATCHBAY_ROLE is web or all.',
    ),
  };
}

function createServer(
  tls: HttpServerDeps['tls'],
  receive: (req: IncomingMessage, res: ServerResponse) => void,
): Server {
  const options: ServerOptions = {
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: SWEEP_INTERVAL_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    // `malformedRequest` checks this instead, and answers in our error format.
    requireHostHeader: false,
  };
  const server = tls
    ? https.createServer({ ...options, handshakeTimeout: HANDSHAKE_MS, cert: tls.cert, key: tls.key }, receive)
    : http.createServer(options, receive);
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  return server;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function clientError(code: string | undefined): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new GatewayError('headers_too_large', `The headers are larger than ${MAX_HEADER_BYTES / 1024} KiB.`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new GatewayError('request_timeout', 'The request did not arrive in time.');
  return new GatewayError('malformed_request', 'This is not a well-formed HTTP/1.1 request.');
}

function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/**
 * Removes Next's own internal headers, which it trusts, and sets X-Forwarded-For, whose value it accepts from any
 * client.
 */
function prepareForNext(req: IncomingMessage, remoteAddress: string): void {
  for (const name of Object.keys(req.headers)) if (name.startsWith('x-middleware-')) delete req.headers[name];
  req.headers['x-forwarded-for'] = remoteAddress;
  req.headers[PEER_HEADER] = attestPeerAddress(remoteAddress);
}

// Next adds its own upgrade listener to the server of its first request. The listener would then receive every upgrade
// in addition to ours, and it answers some that are not Next's. So it is removed again, and our router calls it only
// for Next's own paths.
function captureNextUpgrade(server: Server, production: boolean): NextUpgrade {
  let captured: ((req: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
  server.on('newListener', (event: string, listener: typeof captured) => {
    if (event !== 'upgrade' || server.listenerCount('upgrade') === 0 || !listener) return;
    captured = listener;
    process.nextTick(() => server.off('upgrade', listener));
  });
  return (req, socket, head) => {
    // In production, Next's pages use no WebSockets.
    if (production || !captured) return false;
    captured(req, socket, head);
    return true;
  };
}
