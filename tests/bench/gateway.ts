import { createHttpServer } from '../../server/http';
import { openGateway } from './open-gateway';

// The gateway as it runs in the product, everything switched on, without the console.

async function main(): Promise<void> {
  const { gateway, key } = await openGateway();
  const server = createHttpServer({ gateway, nextHandler: (_request, response) => void response.writeHead(404).end() });
  const port = await server.listen(0, '127.0.0.1');
  process.send?.({ port, key });
  process.once('message', () => {
    void server
      .close()
      .then(() => gateway.close())
      .then(() => process.exit(0));
  });
}

void main();
