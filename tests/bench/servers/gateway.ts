import { createHttpServer } from '../../../server/http';
import { exitWithParent } from '../listen';
import { openGateway } from '../open-gateway';

// The gateway as it runs in the product, with everything switched on except the console. With `--no-jitter` it polls
// providers at exact intervals, so that the video upstream knows when each poll is due. With `--no-key` it uses the
// database of another gateway, which has made the key. With `--switches-sampling` no request is traced, and SIGUSR2
// switches sampling on and off.

async function main(): Promise<void> {
  exitWithParent();
  const { gateway, key } = await openGateway({
    ...(process.argv.includes('--no-jitter') && { random: () => 0.5 }),
    ...(process.argv.includes('--switches-sampling') && { random: switchedRandom() }),
    makesKey: !process.argv.includes('--no-key'),
  });
  const server = createHttpServer({ gateway, nextHandler: (_request, response) => void response.writeHead(404).end() });
  const port = await server.listen(0, '127.0.0.1');
  process.send?.({ port, ...(key !== undefined && { key }) });
  process.once('SIGTERM', () => {
    void server
      .close()
      .then(() => gateway.close())
      .then(() => process.exit(0));
  });
}

/** Numbers with which no request is sampled, or random ones. */
function switchedRandom(): () => number {
  let isSampling = false;
  process.on('SIGUSR2', () => {
    isSampling = !isSampling;
  });
  return () => (isSampling ? Math.random() : 0.999_999);
}

void main();
