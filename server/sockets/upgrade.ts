import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../../lib/domain/errors';
import type { Gateway } from '../../lib/gateway';
import { isOwnHost } from '../../lib/http/own-host';
import { malformedRequest } from '../request-guards';
import { writeHttpError } from '../write-http-error';

// Routes upgrades to sessions. Every upgrade is answered: Node leaves an upgrade without a handler open forever.

/** How long Next may take to answer an upgrade. */
const NEXT_ANSWER_MS = 5_000;

export type SocketPath = '/v1/audio/transcriptions/ws' | '/v1/audio/speech/ws';

/**
 * Handles the socket of an accepted path. `query` contains the `token`, which is already removed from the request's
 * target.
 */
export type SocketSession = (req: IncomingMessage, socket: Duplex, head: Buffer, query: URLSearchParams) => void;

/** The sessions by path, from compose. A path without a session is answered like any unknown path. */
export type SocketSessions = { readonly [path in SocketPath]?: SocketSession };

/** Passes an upgrade to Next. Returns false if Next handles none. */
export type NextUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

export interface UpgradeDeps {
  readonly gateway: Pick<Gateway, 'clock' | 'phase' | 'baseUrl' | 'config'>;
  readonly server: Server;
  readonly sessions: SocketSessions;
  readonly nextUpgrade: NextUpgrade;
}

export interface UpgradeRouter {
  readonly receive: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Ends the sockets that Next keeps open for browsers in development, without waiting for close frames. */
  close(): void;
}

export function createUpgradeRouter({ gateway, server, sessions, nextUpgrade }: UpgradeDeps): UpgradeRouter {
  const nextSockets = new Set<Duplex>();
  const refuse = (socket: Duplex, error: GatewayError) => writeHttpError(socket, error, gateway.clock);

  function receive(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = req.url ?? '';
    const error = malformedRequest(req);
    const [path = '', search = ''] = target.split('?', 2);
    // A token in the target would appear in every log that prints URLs.
    req.url = path;
    if (error) refuse(socket, error);
    else if (req.headers.upgrade?.toLowerCase() !== 'websocket') {
      req.url = target;
      answerWithoutUpgrade(server, req, socket, head);
    } else if (path.startsWith('/_next/')) {
      req.url = target;
      holdForNext(socket);
      if (!isOwnHost(req.headers.host, gateway) || !nextUpgrade(req, socket, head)) refuse(socket, notServed());
    } else {
      const session = Object.hasOwn(sessions, path) ? sessions[path as SocketPath] : undefined; // Safe: it is a key of `sessions`.
      if (!session) refuse(socket, notServed());
      else if (gateway.phase() === 'closing')
        refuse(
          socket,
          new GatewayError('shutting_down', 'This instance is shutting down and takes no new sessions. Connect again.'),
        );
      else session(req, socket, head, new URLSearchParams(search));
    }
  }

  // Next leaves an upgrade that it does not know open and unanswered, so it is closed after NEXT_ANSWER_MS.
  function holdForNext(socket: Duplex): void {
    nextSockets.add(socket);
    const before = writtenBy(socket);
    const cancel = gateway.clock.after(NEXT_ANSWER_MS, () => {
      if (writtenBy(socket) === before) refuse(socket, notServed());
    });
    socket.once('close', () => {
      cancel();
      nextSockets.delete(socket);
    });
  }

  return {
    receive,
    close() {
      for (const socket of nextSockets) socket.destroy();
    },
  };
}

function writtenBy(socket: Duplex): number {
  return 'bytesWritten' in socket ? Number(socket.bytesWritten) : 0;
}

function notServed(): GatewayError {
  return new GatewayError('route_not_found', 'There is no WebSocket at this path. Check the spelling.');
}

// Some HTTP clients offer to upgrade every plain request to HTTP/2 (`Upgrade: h2c`), which a server may ignore. Node
// cannot ignore it: with an upgrade listener every such request arrives here. So the request is written back to the
// start of its connection without the offer, and the connection is parsed again as a plain one. It ends after this
// response: Node counts a reinserted connection as new, so its limits would never apply.
function answerWithoutUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`, 'connection: close'];
  for (let at = 0; at + 1 < req.rawHeaders.length; at += 2) {
    const name = req.rawHeaders[at] ?? '';
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${req.rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}
