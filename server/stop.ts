import { setImmediate } from 'node:timers/promises';
import type { Gateway } from '../lib/gateway';
import type { HttpServer } from './http';

/**
 * Ends a process without failing a request. It reports that it is not ready, but answers requests for another
 * `noticeMs`, because a load balancer notices only at its next check. Then it closes its port, waits for running
 * requests and sessions, and closes the gateway.
 */
export async function stopServer(deps: {
  readonly gateway: Gateway;
  readonly server: HttpServer;
  readonly noticeMs: number;
}): Promise<void> {
  const { gateway, server, noticeMs } = deps;
  gateway.drain();
  if (noticeMs > 0) {
    await gateway.clock.sleep(noticeMs);
    // In a busy process, requests that arrived earlier still wait to be received. Receive them first.
    await setImmediate();
  }
  await Promise.all([gateway.audio.drain(), server.close()]);
  await gateway.close();
}
