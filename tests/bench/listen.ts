import type { Server } from 'node:http';

/** Listens on a free port and tells it, and `more`, to the process that started this one; ends when that one says so, or ends itself. */
export function listen(server: Server, more: object = {}): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' && address ? address.port : 0, ...more });
  });
  process.on('SIGTERM', () => process.exit(0));
  endWithParent();
}

/** Nothing may stay behind when the process that started this one ends without a goodbye. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit(1));
}
