import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type ServerOptions } from 'ws';
import { checkEndpointAccess, checkScope } from '../../lib/accounts/access';
import { isTicket } from '../../lib/accounts/tickets';
import type { SessionStart } from '../../lib/audio/session';
import { logFailure, refusalOf } from '../../lib/audio/session-errors';
import type { Gateway } from '../../lib/gateway';
import { createAddressReader } from '../../lib/net/client-address';
import type { SocketPath, SocketSession, SocketSessions } from './upgrade';
import { createWsChannel } from './ws-channel';

// Turns an upgrade into a session. The caller is authenticated before the upgrade is answered, so that no message is
// lost in the meantime. The socket of a refused caller is accepted too, and the error is sent as a message: browsers
// hide the status of a failed upgrade.

/** A frame of 100 ms at the highest sample rate has 10 kB; the longest text has 40 kB. */
const MAX_BYTES = 262_144;
const MAX_FRAGMENTS = 16;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The limits of incoming messages. Compression costs 250 kB per session and does not make audio smaller. A message of
 * this size needs no fragments; many fragments only make us buffer them. One read can contain thousands of small
 * messages: without synchronous events the event loop runs between two of them, so that other callers are served in the
 * meantime.
 */
export const wireOptions: ServerOptions = {
  noServer: true,
  allowSynchronousEvents: false,
  perMessageDeflate: false,
  maxPayload: MAX_BYTES,
  maxFragments: MAX_FRAGMENTS,
  clientTracking: false,
  handleProtocols: () => false,
};

interface Admitted extends Pick<SessionStart, 'caller' | 'by'> {
  release(): void;
}

export function createAudioSockets(gateway: Gateway): SocketSessions {
  const server = new WebSocketServer(wireOptions);
  const readAddress = createAddressReader(gateway.config.trustedProxies);

  function sessionAt(path: SocketPath, start: (start: SessionStart) => unknown): SocketSession {
    return (req, socket, head, query) => {
      const stayQuiet = () => socket.destroy();
      // Until the upgrade is answered, nothing else handles this socket's errors.
      socket.on('error', stayQuiet);
      admit(req, path, query).then(
        ({ release, ...admitted }) => {
          socket.off('error', stayQuiet);
          if (socket.closed) release();
          else socket.once('close', release);
          accept(req, socket, head, (channel) =>
            start({ channel, ...admitted, ...scenarioOf(req, query), traceparent: traceparentOf(req) }),
          );
        },
        (error: unknown) => {
          logFailure(gateway.log, error, { route: path });
          socket.off('error', stayQuiet);
          const { text, closeCode, closeReason } = refusalOf(error);
          gateway.log.info('a socket was refused', { route: path, code: closeReason });
          accept(req, socket, head, (channel) => {
            channel.listen({ message: () => {}, pong: () => {}, closed: () => {} });
            channel.send(text);
            channel.close(closeCode, closeReason);
          });
        },
      );
    };
  }

  function accept(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    begin: (channel: ReturnType<typeof createWsChannel>) => void,
  ): void {
    if (socket.destroyed) return;
    // `ws` answers an invalid WebSocket handshake with 400 and ends the socket.
    server.handleUpgrade(req, socket, head, (ws) => begin(createWsChannel(ws, gateway.clock)));
    if (!socket.destroyed && socket.writableEnded) gateway.clock.after(CLOSE_TIMEOUT_MS, () => socket.destroy());
  }

  /**
   * Returns the caller, if it may use this socket now, and the providers that serve it. `release` must be called when
   * the socket is closed. A header takes precedence over a token; a ticket is always sent as a token.
   */
  async function admit(req: IncomingMessage, path: SocketPath, query: URLSearchParams): Promise<Admitted> {
    const token = query.get('token') ?? undefined;
    query.delete('token');
    const { authorization } = req.headers;
    const isByHeader = authorization !== undefined && /^bearer ./i.test(authorization);
    const forwarded = req.headers['x-forwarded-for'];
    const address = readAddress(
      req.socket.remoteAddress ?? '',
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    );
    const caller =
      !isByHeader && token !== undefined && isTicket(token)
        ? await gateway.tickets.redeem(token, path)
        : await gateway.accounts.authenticate(
            { authorization: isByHeader || token === undefined ? authorization : `Bearer ${token}` },
            address,
          );
    checkScope(caller.policy, 'inference');
    checkEndpointAccess(caller.policy, path);
    const by = await gateway.providers.servedBy(caller);
    const { error, release } = await gateway.limits.admit(caller, { startsWork: true, stays: true });
    if (error) throw error;
    return { caller, by, release };
  }

  return {
    '/v1/audio/transcriptions/ws': sessionAt('/v1/audio/transcriptions/ws', (start) => gateway.audio.transcribe(start)),
    '/v1/audio/speech/ws': sessionAt('/v1/audio/speech/ws', (start) => gateway.audio.speak(start)),
  };
}

function traceparentOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}

function scenarioOf(req: IncomingMessage, query: URLSearchParams): { readonly scenario?: string } {
  const header = req.headers['x-test-scenario'];
  const scenario = (typeof header === 'string' ? header.trim() : '') || query.get('scenario') || '';
  return scenario === '' ? {} : { scenario };
}
