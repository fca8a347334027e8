import { createServer } from 'node:http';
import next from 'next';
import { installGateway } from '../../../lib/runtime';
import { openGateway } from '../open-gateway';
import { listen } from '../listen';

// The same gateway with every request routed through Next's route files, as under `next start`.

async function main(): Promise<void> {
  const { gateway, key } = await openGateway();
  installGateway(gateway);
  const app = next({ dev: false, dir: process.cwd() });
  await app.prepare();
  const handleRequest = app.getRequestHandler();
  listen(
    createServer((request, response) => void handleRequest(request, response)),
    { key },
  );
}

void main();
