import type { Server } from 'node:http';

/** Listens on a free port, tells it (and `more`) to the process that started this one, and ends when that one says so. */
export function listen(server: Server, more: object = {}): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' && address ? address.port : 0, ...more });
  });
  process.on('SIGTERM', () => process.exit(0));
}
