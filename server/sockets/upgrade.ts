import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../../lib/domain/errors';
import type { Gateway } from '../../lib/gateway';
import { isOwnHost } from '../../lib/http/own-host';
import { malformedRequest } from '../malformed-request';
import { writeHttpError } from '../write-http-error';

// Which session does an upgrade begin? Every one is answered: Node leaves an upgrade that nobody takes open for ever.

/** How long Next may take to answer an upgrade of its own. */
const NEXT_ANSWER_MS = 5_000;

export type SocketPath = '/v1/audio/transcriptions/ws' | '/v1/audio/speech/ws';

/** Takes over the socket of an accepted path. `query` holds the `token`, which has been removed from the request's target. */
export type SocketSession = (req: IncomingMessage, socket: Duplex, head: Buffer, query: URLSearchParams) => void;

/** Sessions are registered by whoever composes; a path without one is answered like any unknown path. */
export type SocketSessions = { readonly [path in SocketPath]?: SocketSession };

/** Hands an upgrade to Next; false when Next takes none. */
export type NextUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

export interface UpgradeDeps {
  readonly gateway: Pick<Gateway, 'clock' | 'phase' | 'baseUrl' | 'config'>;
  readonly server: Server;
  readonly sessions: SocketSessions;
  readonly nextUpgrade: NextUpgrade;
}

export interface UpgradeRouter {
  readonly receive: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Ends the sockets that Next holds open for a browser in development; no answer of theirs is waited for. */
  close(): void;
}

export function createUpgradeRouter({ gateway, server, sessions, nextUpgrade }: UpgradeDeps): UpgradeRouter {
  const nextSockets = new Set<Duplex>();
  const refuse = (socket: Duplex, error: GatewayError) => writeHttpError(socket, error, gateway.clock);

  function receive(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = req.url ?? '';
    const error = malformedRequest(req);
    const [path = '', search = ''] = target.split('?', 2);
    // A token in the target would reach every log that prints an address.
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
      else if (gateway.phase() === 'draining')
        refuse(
          socket,
          new GatewayError('shutting_down', 'This instance is shutting down and takes no new sessions. Connect again.'),
        );
      else session(req, socket, head, new URLSearchParams(search));
    }
  }

  // Next leaves what it does not know open and unanswered.
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
  return new GatewayError('route_not_found', 'There is no WebSocket at this path. Check the spelling of the address.');
}

// Some HTTP clients offer to upgrade every plain request to HTTP/2 (`Upgrade: h2c`), which a server may ignore. Node cannot:
// with an upgrade listener each of them ends up here. So the request is put back in front of its connection without the
// offer, and the connection begins again as a plain one. It ends with this answer: a connection that begins again is counted
// anew by Node, so its limits would never be met.
function answerWithoutUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`, 'connection: close'];
  for (let at = 0; at + 1 < req.rawHeaders.length; at += 2) {
    const name = req.rawHeaders[at] ?? '';
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${req.rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}
