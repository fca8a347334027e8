import type { Server } from 'node:http';

/**
 * Listens on a free port and reports the port and the fields of `extra` to the parent process. The process exits on
 * SIGTERM and when its parent exits.
 */
export function listen(server: Server, extra: object = {}): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' && address ? address.port : 0, ...extra });
  });
  process.on('SIGTERM', () => process.exit(0));
  exitWithParent();
}

/** Exits when the parent process is gone, so that a benchmark that crashes leaves no servers behind. */
export function exitWithParent(): void {
  process.once('disconnect', () => process.exit(1));
}
