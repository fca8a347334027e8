import { readConfig } from '../../lib/config';
import { providerDefinitions } from '../../lib/providers/registry';
import { composeGateway } from '../../server/compose';
import { createHttpServer } from '../../server/http';

// The gateway in a process of its own, so that its memory is nobody else's. Told `memory`, it answers with what it holds after
// a collection; it is run with --expose-gc.

export interface HeldMemory {
  /** Objects, and the bytes of buffers beside them. */
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
  // The test goes, and takes it along.
  process.once('disconnect', () => process.exit(0));
  process.send?.({ port });
}

void main();
