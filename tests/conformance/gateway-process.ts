import { readConfig } from '../../lib/config/config';
import { providerDefinitions } from '../../lib/providers/registry';
import { composeGateway } from '../../server/compose';
import { createHttpServer } from '../../server/http';

// The gateway in a process of its own, so that its memory can be measured alone. For the message `memory` it reports
// its memory after a garbage collection; it runs with --expose-gc.

export interface HeldMemory {
  /** Objects, and the bytes of buffers outside the heap. */
  readonly bytes: number;
}

async function main(): Promise<void> {
  const { gateway } = await composeGateway(readConfig(process.env, providerDefinitions));
  const server = createHttpServer({ gateway, nextHandler: (_request, response) => void response.writeHead(404).end() });
  const port = await server.listen(0, '127.0.0.1');
  process.on('message', () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.({ bytes: heapUsed + external } satisfies HeldMemory);
  });
  // When the test's process ends, this one ends too.
  process.once('disconnect', () => process.exit(0));
  process.send?.({ port });
}

void main();
