import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';

// Emulates Neon's proxy: a WebSocket whose bytes are forwarded to a Postgres and back. This one always connects to
// ours.

export interface NeonProxy {
  /** For `openDatabase`: host, port and path. */
  readonly address: string;
  /** Connections through it so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function startNeonProxy(postgresPort: number): Promise<NeonProxy> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/v2' });
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    const bytes = createWebSocketStream(socket);
    // When either end breaks, the other is closed too.
    pipeline(bytes, connect(postgresPort, '127.0.0.1'), bytes, () => socket.terminate());
  });
  return {
    // Safe: a listening TCP server has an address with a port.
    address: `127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    connections: () => connections,
    async close() {
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The URL of the same database with a host name that the product recognises as Neon's. */
export function neonUrl(url: string): string {
  const { pathname } = new URL(url);
  return `postgres://postgres@ep-quiet-test-000000.eu-central-1.aws.neon.tech${pathname}`;
}
