import { systemClock } from '../../lib/domain/clock';
import { createHttpServer } from '../../server/http';
import { checkAnswersOf } from './check-answers';
import { freePort } from './child-server';
import { makeGateway, type TestGateway, type TestGatewayOptions } from './gateway';

// The product behind its own server on a real port, without Next: for unmodified clients.

export interface TestServer extends TestGateway {
  readonly baseUrl: string;
}

export async function startServer(options: TestGatewayOptions = {}): Promise<TestServer> {
  const port = await freePort();
  const test = await makeGateway({ clock: systemClock, ...options, env: { PORT: String(port), ...options.env } });
  const server = createHttpServer({ gateway: test.gateway });
  await server.listen(port, '127.0.0.1');
  const baseUrl = `http://127.0.0.1:${port}`;
  const endChecks = checkAnswersOf(baseUrl);
  return {
    ...test,
    baseUrl,
    async close(closing) {
      endChecks();
      await server.close();
      await test.close(closing);
    },
  };
}
