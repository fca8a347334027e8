import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../lib/domain/clock';
import type { GatewayError } from '../lib/domain/errors';
import { errorResponse, errorText } from '../lib/http/error-response';
import { requestIdOf } from '../lib/http/handler';

// Writes errors where Node gives no response object: after a malformed request, or an upgrade without a handler. A
// socket that is neither answered nor closed would hang forever.

/** How long the client may take to read the response and disconnect. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Writes an error response on a bare socket and closes it. */
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
  // Remaining input is discarded: closing a socket with unread bytes resets the connection before the client has read
  // the response.
  socket.resume();
  const cancel = clock.after(CLOSE_TIMEOUT_MS, () => socket.destroy());
  socket.once('close', cancel);
}
