import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../lib/domain/clock';
import type { GatewayError } from '../lib/domain/errors';
import { errorResponse, errorText } from '../lib/http/error-response';
import { requestIdOf } from '../lib/http/request-id';

// Some callers get no response object: what they sent was no request, or asked for an upgrade that nobody serves. They are
// answered by hand, because a socket that is neither answered nor closed hangs for ever.

/** How long the other side may take to read its answer and hang up. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Writes a well-formed error on a bare socket and closes it. */
export function writeHttpError(socket: Duplex, error: GatewayError, clock: Clock): void {
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf(undefined);
  const { status, headers } = errorResponse(error, '', requestId);
  const text = errorText(error, '', requestId);
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'request-id': requestId,
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${text}`);
  // What still arrives is thrown away: closing over unread bytes would reset the connection before the answer is read.
  socket.resume();
  const cancel = clock.after(CLOSE_TIMEOUT_MS, () => socket.destroy());
  socket.once('close', cancel);
}
