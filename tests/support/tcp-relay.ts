import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

// A connection between two programs that a test can slow down, cut or let fall silent, as a network does.

export interface TcpRelay {
  readonly port: number;
  /** From now on nothing is passed on, in either direction, not even that a side has closed: a lost host or network. */
  fallSilent(): void;
  /** Falls silent when it has passed on the next piece that contains this text. Resolves then. */
  fallSilentAfter(text: string): Promise<void>;
  /** Closes all connections, and each new one at once. */
  cut(): void;
  /** Ends `cut` and `fallSilent` for new connections. Those that were open are closed. */
  mend(): void;
  close(): Promise<void>;
}

export interface TcpRelayOptions {
  readonly targetPort: number;
  /** Receives each piece that the client sends. It is passed on when this has ended. */
  readonly onSent?: (piece: Buffer) => Promise<void> | void;
}

export async function startTcpRelay({ targetPort, onSent }: TcpRelayOptions): Promise<TcpRelay> {
  let state: 'open' | 'silent' | 'cut' = 'open';
  let awaited: { readonly text: string; readonly seen: () => void } | undefined;
  const sockets = new Set<Socket>();

  function join(client: Socket): void {
    keep(client);
    if (state === 'cut') return void client.destroy();
    if (state === 'silent') return;
    const target = connect(targetPort, '127.0.0.1');
    keep(target);
    let passed = Promise.resolve();
    client.on('data', (piece: Buffer) => {
      if (state !== 'open') return;
      if (onSent) {
        const held = onSent(piece);
        // In the order in which they came.
        passed = passed.then(() => held).then(() => void target.write(piece));
      } else target.write(piece);
      if (awaited && piece.includes(awaited.text)) {
        state = 'silent';
        awaited.seen();
        awaited = undefined;
      }
    });
    target.on('data', (piece: Buffer) => {
      if (state === 'open') client.write(piece);
    });
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on('close', () => {
        if (state !== 'silent') other.destroy();
      });
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  }

  function closeAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  const server = createServer({ noDelay: true }, join).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // Safe: a listening TCP server has an address with a port.
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      state = 'silent';
    },
    fallSilentAfter: (text) =>
      new Promise((resolve) => {
        awaited = { text, seen: resolve };
      }),
    cut() {
      state = 'cut';
      closeAll();
    },
    mend() {
      closeAll();
      state = 'open';
    },
    async close() {
      state = 'cut';
      closeAll();
      server.close();
      await once(server, 'close');
    },
  };
}
