import http from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { errorForLog, GatewayError, isGatewayError } from '../lib/domain/errors';
import type { Gateway } from '../lib/gateway';
import { answer, refuse } from '../lib/http/endpoint';
import { bodyDeadlineMs } from '../lib/http/body-pace';
import { hostName, isLoopbackName } from '../lib/http/own-host';
import { checkPageRequest, type PageRefusal } from '../lib/http/page-request';
import { PEER_HEADER, attestPeerAddress } from '../lib/http/forwarded-peer';
import { createAddressReader, createProxyCheck } from '../lib/http/remote-address';
import { isOurs } from '../lib/http/routes';
import { networkOf } from '../lib/net/network-of';
import { createBodyBudget } from './body-budget';
import { malformedRequest } from './malformed-request';
import { createNodeContext, LINGER_TIMEOUT_MS, type NodeContextDeps } from './node-context';
import { writeHttpError } from './write-http-error';
import { createUpgradeRouter } from './sockets/upgrade';
import type { NextUpgrade, SocketSessions } from './sockets/upgrade';
import { createUnfinishedRequests } from './unfinished-requests';

// The door of the house. What the route table knows is answered here, directly and without Next, which would cost ten times
// as much; everything else goes to Next. Both get only requests that can be read in one way.

/** Slow headers are an attack, not a slow line. */
const HEADERS_MS = 10_000;
/** The longest that a body may take; how fast it must come is watched while it is read (`node-context.ts`). */
const REQUEST_MS = 300_000;
/** Longer than the idle time of usual balancers, so that it is they who close and no request meets a closing socket. */
const KEEP_ALIVE_MS = 75_000;
const SWEEP_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_REQUESTS_PER_SOCKET = 1_000;

const HANDSHAKE_MS = 10_000;

/** A route file of Next refuses a late body in words; this much later the connection is cut. */
const PAGE_BODY_GRACE_MS = 5_000;

/** What the console submits with a video; nothing else that goes to Next is as long. */
const MAX_PAGE_BODY_BYTES = 36 * 1024 * 1024;

/** A year. */
const HSTS = 'max-age=31536000';

const STOP_MS = 30_000;
/** For cut connections to be closed, which is when their answers are charged. */
const CUT_MS = 2_000;
const STOP_SWEEP_MS = 200;
/** A connection that has asked nothing may have its first request on the way, for so long. */
const SILENT_MS = 1_000;

export interface HttpServerDeps {
  readonly gateway: Gateway;
  /** Next's `getRequestHandler()`. */
  readonly nextHandler: (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;
  /** PEM, to serve https directly. */
  readonly tls?: { readonly cert: Buffer | string; readonly key: Buffer | string };
  /** For all large bodies together, in bytes. Default: an eighth of the heap. */
  readonly maxBodyBytes?: number;
  /** Who answers the socket paths; a path without an entry is answered 404. */
  readonly sessions?: SocketSessions;
  /** How long `close` lets answers run before it cuts them; 30 s unless given. */
  readonly stopMs?: number;
}

export interface HttpServer {
  /** Resolves with the port that was really opened; rejects when it is taken. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new connections, lets what runs finish for at most `stopMs`, then cuts what is left. Resolves when all connections are closed. Safe to repeat. */
  close(): Promise<void>;
}

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { gateway, nextHandler, stopMs = STOP_MS } = deps;
  const { clock, log } = gateway;
  const readAddress = createAddressReader(gateway.config.trustedProxies);
  const isTrustedProxy = createProxyCheck(gateway.config.trustedProxies);
  // Of each connection, how many answers are still to be given, and what is to happen after the last one.
  const answersDue = new WeakMap<Duplex, number>();
  const afterAnswers = new WeakMap<Duplex, () => void>();
  // Opened ahead of need, as browsers do. Node does not count them as idle, and they would hold up a stop.
  const silent = new Set<Duplex>();
  const unfinished = createUnfinishedRequests(clock, (socket) => {
    if (answersDue.has(socket)) socket.destroy();
    else
      writeHttpError(
        socket,
        new GatewayError(
          'rate_limit_exceeded',
          'Too many unfinished requests came from your network. Send each request in one go.',
        ),
        clock,
      );
  });
  const bodies = createBodyBudget(deps.maxBodyBytes);
  let closing: Promise<void> | undefined;
  const contextDeps: NodeContextDeps = {
    clock,
    readAddress,
    bodies,
    onClose: ({ socket }) => {
      unfinished.end(socket);
      const due = (answersDue.get(socket) ?? 1) - 1;
      if (due > 0) answersDue.set(socket, due);
      else {
        answersDue.delete(socket);
        afterAnswers.get(socket)?.();
      }
    },
    onError: (error) => log.error('the end of an answer could not be noted', { error: errorForLog(error) }),
  };

  function receive(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    const { socket } = req;
    silent.delete(socket);
    answersDue.set(socket, (answersDue.get(socket) ?? 0) + 1);
    const bodied = hasBody(req);
    if (bodied) watchBody(req);
    else unfinished.end(socket);
    // A browser remembers it for all ports of a name, and localhost is many servers.
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
    const { request } = context;
    const error = malformedRequest(req);
    const isPage = !error && !isOurs(path);
    const refusal = error
      ? { error: error, headers: {} }
      : isPage
        ? (checkPageRequest(request, gateway) ?? (bodied ? reserveBody(req, res) : undefined))
        : undefined;
    if (refusal || !isPage) {
      const answered = refusal ? refuse(gateway, request, refusal.error, refusal.headers) : answer(gateway, request);
      answered
        .then((response) => context.send(response, !error && closing === undefined))
        .catch((error: unknown) => {
          log.error('an answer could not be sent', { error: errorForLog(error) });
          res.destroy();
        });
      return;
    }
    if (expectsContinue) res.writeContinue();
    if (closing) res.shouldKeepAlive = false;
    prepareForNext(req, request.remoteAddress);
    if (bodied) limitBody(req, res);
    callNext(req, res);
  }

  /** Until its body has come, a request counts as unfinished. */
  function watchBody(req: IncomingMessage): void {
    const { socket } = req;
    waitForRequest(socket);
    req.once('end', () => unfinished.end(socket));
  }

  function waitForRequest(socket: Duplex): void {
    const peer = 'remoteAddress' in socket ? String(socket.remoteAddress) : '';
    // Behind a proxy are many callers, and it limits them itself.
    if (!isTrustedProxy(peer)) unfinished.begin(socket, networkOf(peer));
  }

  /** The route files of Next read their bodies where they cannot be counted, so the announced length counts; a longer one is refused there. */
  function reserveBody(req: IncomingMessage, res: ServerResponse): PageRefusal | undefined {
    const bytes = Number(req.headers['content-length'] ?? MAX_PAGE_BODY_BYTES);
    if (bytes > MAX_PAGE_BODY_BYTES) return undefined;
    const share = bodies.open();
    try {
      share.grow(bytes);
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      return { error, headers: {} };
    }
    res.once('close', () => share.release());
    return undefined;
  }

  /** Next waits for a body as long as it comes, and Node even for one that nobody reads. */
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
            .end('Something went wrong on our side. Try again.');
      });
  }

  const server = createServer(deps.tls, (req, res) => receive(req, res, false));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => receive(req, res, true));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Bytes behind the last request of a connection, whose answer ends it.
    if (error.code === 'HPE_CLOSED_CONNECTION' && answersDue.has(socket)) return;
    // In the middle of an answer there is nothing well-formed left to say.
    if (error.code === 'ECONNRESET' || answersDue.has(socket)) socket.destroy();
    else writeHttpError(socket, clientError(error.code), clock);
  });
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    writeHttpError(
      socket,
      new GatewayError('malformed_request', 'This server is no proxy. Send the path of one of its own addresses.'),
      clock,
    );
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
    if (answersDue.has(socket)) refuseAfterAnswers(socket);
    else upgrades.receive(req, socket, head);
  });
  server.on(deps.tls ? 'secureConnection' : 'connection', (socket: Duplex) => {
    silent.add(socket);
    waitForRequest(socket);
    socket.once('close', () => {
      silent.delete(socket);
      unfinished.end(socket);
    });
  });

  /** An upgrade takes the connection over, and the answers that are due on it would run into what follows. */
  function refuseAfterAnswers(socket: Duplex): void {
    // Node has taken its own listeners off.
    socket.on('error', () => socket.destroy());
    socket.resume();
    afterAnswers.set(socket, () => {
      writeHttpError(
        socket,
        new GatewayError(
          'malformed_request',
          'A connection can only be upgraded when no answer is due on it. Open a connection of its own for a WebSocket.',
        ),
        clock,
      );
    });
  }

  async function stop(): Promise<void> {
    const closed = new Promise<'closed'>((resolve) => server.close(() => resolve('closed')));
    upgrades.close();
    const startedAt = clock.nowMs();
    for (let ms = 0; ms < stopMs; ms = clock.nowMs() - startedAt) {
      // A connection falls idle when its answer is out, and would then be kept for a next request.
      server.closeIdleConnections();
      if (ms >= SILENT_MS) for (const socket of silent) socket.destroy();
      if ((await Promise.race([closed, clock.sleep(STOP_SWEEP_MS)])) === 'closed') return;
    }
    server.closeAllConnections();
    await Promise.race([closed, clock.sleep(CUT_MS)]);
  }

  return {
    listen: (port, host) => listen(server, port, host),
    close: () => (closing ??= stop()),
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
    connectionsCheckingInterval: SWEEP_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    // Asked by `malformedRequest` instead, which answers in our shape.
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

/** Next trusts headers of its own to say what was checked already, and believes any X-Forwarded-For; callers may set neither. */
function prepareForNext(req: IncomingMessage, remoteAddress: string): void {
  for (const name of Object.keys(req.headers)) if (name.startsWith('x-middleware-')) delete req.headers[name];
  req.headers['x-forwarded-for'] = remoteAddress;
  req.headers[PEER_HEADER] = attestPeerAddress(remoteAddress);
}

// Next adds an upgrade listener of its own to whatever server carries its first request. It would then hear every upgrade
// beside ours, and answers some that are not its own; so it is taken off again and called by our router, for its paths only.
function captureNextUpgrade(server: Server, production: boolean): NextUpgrade {
  let captured: ((req: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
  server.on('newListener', (event: string, listener: typeof captured) => {
    if (event !== 'upgrade' || server.listenerCount('upgrade') === 0 || !listener) return;
    captured = listener;
    process.nextTick(() => server.off('upgrade', listener));
  });
  return (req, socket, head) => {
    // Built pages have no sockets.
    if (production || !captured) return false;
    captured(req, socket, head);
    return true;
  };
}
