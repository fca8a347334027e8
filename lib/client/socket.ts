import { SocketError } from './errors';
import type { Patchbay } from './patchbay';

/** The part of the standard WebSocket that this package uses. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string | ArrayBufferView<ArrayBuffer>): void;
  close(code?: number): void;
}

/** The events that every WebSocket has; the types of the implementations differ. */
interface Events {
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: never) => void): void;
}

export interface SocketOptions {
  /** Returns a ticket for each connection. For pages, which must not have a key. Default: the key of the client. */
  readonly token?: () => string | Promise<string>;
  /** For Node before 22, which has no WebSocket: `(url) => new WebSocket(url)` with the class of the package `ws`. */
  readonly webSocket?: (url: string) => WebSocketLike;
  /** How many times in a row a broken connection is opened again. Default: 5. */
  readonly maxReconnects?: number;
}

export interface Handlers {
  onMessage(message: never): void;
  /** Called once. If `isBroken`, connecting again may help. */
  onClose(error: SocketError, isBroken: boolean): void;
}

export const MAX_RECONNECTS = 5;
const OPEN = 1;
/** The close codes after which connecting again may help: going away, lost, failed on our side, try again later. */
const BROKEN_CODES = new Set([1001, 1006, 1011, 1012, 1013]);

/** An open socket that speaks JSON. */
export interface JsonSocket {
  send(message: unknown): void;
  sendBinary(data: Uint8Array<ArrayBuffer>): void;
  readonly bufferedBytes: number;
  close(): void;
}

/**
 * Resolves when the socket is open. Rejects with a SocketError; if its code is one of BROKEN_CODES, a later attempt may
 * succeed.
 */
export async function connect(
  client: Patchbay,
  path: string,
  options: SocketOptions,
  handlers: Handlers,
): Promise<JsonSocket> {
  if (!options.webSocket && !globalThis.WebSocket)
    throw new SocketError('This runtime has no WebSocket. Pass one from the package ws in the option webSocket.', 0);
  const url = client.transport.socketUrl(path, await options.token?.());
  // Safe: the standard requires them.
  const socket = (options.webSocket?.(url) ?? new WebSocket(url)) as WebSocketLike & Events;
  socket.binaryType = 'arraybuffer';
  let reported: SocketError | undefined;
  let isOver = false;

  await new Promise<void>((resolve, reject) => {
    let isOpen = false;
    socket.addEventListener('open', () => {
      isOpen = true;
      resolve();
    });
    // `close` follows with more details.
    socket.addEventListener('error', () => {});
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      if (typeof data !== 'string' || isOver) return;
      const message = JSON.parse(data) as { type: string; message: string; code: number };
      if (message.type === 'error') reported = new SocketError(message.message, message.code);
      handlers.onMessage(message as never);
    });
    socket.addEventListener('close', ({ code, reason }: { code: number; reason: string }) => {
      const error = reported ?? new SocketError(reason === '' ? 'The connection was lost.' : reason, code);
      if (!isOpen) reject(error);
      else if (!isOver) handlers.onClose(error, BROKEN_CODES.has(code));
      isOver = true;
    });
  });

  const whenOpen = (action: () => void) => {
    if (socket.readyState === OPEN) action();
  };
  return {
    send: (message) => whenOpen(() => socket.send(JSON.stringify(message))),
    sendBinary: (data) => whenOpen(() => socket.send(data)),
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    close() {
      isOver = true;
      socket.close(1000);
    },
  };
}
