import { WebSocket } from 'ws';
import { mistakeInMessage } from './check-answers';

// A client of the audio sockets that keeps the messages it receives, and waits for expected ones. A message outside the
// contract fails the test that waits.

export interface SocketClient {
  readonly socket: WebSocket;
  /** Every text message so far, parsed. */
  readonly messages: readonly SocketMessage[];
  send(message: object | Uint8Array | string): void;
  /** The first matching message that is received from now on, or was received and not yet returned. */
  next(holds?: (message: SocketMessage) => boolean): Promise<SocketMessage>;
  readonly closed: Promise<{ code: number; reason: string }>;
  cut(): void;
}

export interface SocketMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface SocketOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: disconnects without a close frame. */
  readonly answersPings?: boolean;
}

export function openSocket(url: string, options: SocketOptions = {}): SocketClient {
  const socket = new WebSocket(url, {
    headers: { ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }), ...options.headers },
    perMessageDeflate: false,
    autoPong: options.answersPings ?? true,
  });
  const { pathname: path } = new URL(url);
  const messages: SocketMessage[] = [];
  let mistake: string | undefined;
  let taken = 0;
  let wake: (() => void)[] = [];
  const woken = () => {
    const waiting = wake;
    wake = [];
    for (const each of waiting) each();
  };
  let isClosed = false;
  socket.on('message', (data) => {
    // Safe: with the default options a message is one Buffer, and our server sends nothing but JSON objects with a type.
    const message = JSON.parse((data as Buffer).toString()) as SocketMessage;
    mistake ??= mistakeInMessage(path, message);
    messages.push(message);
    woken();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      isClosed = true;
      resolve({ code, reason: String(reason) });
      woken();
    });
  });
  socket.on('error', () => {});
  const opened = new Promise<void>((resolve) => {
    socket.once('open', () => resolve());
    socket.once('close', () => resolve());
  });
  return {
    socket,
    messages,
    send(message) {
      const data = typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message);
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
      else void opened.then(() => socket.send(data));
    },
    async next(holds = () => true) {
      for (;;) {
        if (mistake !== undefined) throw new Error(mistake);
        for (; taken < messages.length; taken++) {
          const message = messages[taken]!;
          if (holds(message)) {
            taken += 1;
            return message;
          }
        }
        if (isClosed)
          throw new Error(
            `The socket closed before the expected message. It sent ${JSON.stringify(messages.slice(-3)).slice(0, 600)}`,
          );
        await new Promise<void>((resolve) => wake.push(resolve));
      }
    },
    closed,
    cut: () => socket.terminate(),
  };
}
