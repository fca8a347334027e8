import type { WebSocketLike } from '../../../lib/client/index';

/** A socket of which the test plays the gateway. */
export interface ScriptedSocket extends WebSocketLike {
  readonly sent: (string | Uint8Array)[];
  receive(message: unknown): void;
  lose(code: number, reason?: string): void;
}

/** Opens sockets that the test plays. `onSend` is called with every message of a client, and its socket. */
export function scriptSockets(onSend: (socket: ScriptedSocket, message: string | Uint8Array) => void) {
  const sockets: ScriptedSocket[] = [];
  return {
    sockets,
    webSocket(): WebSocketLike {
      const listeners = new Map<string, (event: unknown) => void>();
      let readyState = 0;
      const socket = {
        binaryType: '',
        bufferedAmount: 0,
        sent: [] as (string | Uint8Array)[],
        get readyState() {
          return readyState;
        },
        addEventListener: (type: string, listener: (event: unknown) => void) => void listeners.set(type, listener),
        send(data: string | ArrayBufferView<ArrayBuffer>) {
          const message =
            typeof data === 'string' ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
          socket.sent.push(message);
          onSend(socket, message);
        },
        close: () => socket.lose(1000),
        receive: (message: unknown) => listeners.get('message')?.({ data: JSON.stringify(message) }),
        lose(code: number, reason = '') {
          if (readyState === 3) return;
          readyState = 3;
          listeners.get('close')?.({ code, reason });
        },
      };
      sockets.push(socket);
      queueMicrotask(() => {
        readyState = 1;
        listeners.get('open')?.({});
      });
      return socket;
    },
  };
}
