import { systemClock } from '../../lib/domain/clock';
import { createHttpServer } from '../../server/http';
import { checkAnswersOf } from './check-answers';
import { freePort } from './child-server';
import { makeGateway, type TestGateway, type TestGatewayOptions } from './gateway';

// The product behind its own server on a real port, without Next: for unmodified clients. Every JSON response is
// compared with the contract.

export interface TestServer extends TestGateway {
  readonly baseUrl: string;
  /** A request with the key of this mode; `live` unless it is stated. */
  call(path: string, init?: RequestInit, mode?: 'live' | 'test'): Promise<Response>;
  submit(body: Readonly<Record<string, unknown>>, mode?: 'live' | 'test'): Promise<Response>;
}

/** With the real clock. */
export const startServer = (options: TestGatewayOptions = {}): Promise<TestServer> =>
  serve({ clock: systemClock, ...options });

/** With a clock that the test moves. It may read media from this machine. */
export const startServerInTestTime = ({
  env,
  ...options
}: Omit<TestGatewayOptions, 'clock'> = {}): Promise<TestServer> =>
  serve({ ...options, env: { OUTBOUND_ALLOW: '127.0.0.0/8', ...env } });

async function serve(options: TestGatewayOptions): Promise<TestServer> {
  const port = await freePort();
  const test = await makeGateway({ ...options, env: { PORT: String(port), ...options.env } });
  const server = createHttpServer({ gateway: test.gateway });
  await server.listen(port, '127.0.0.1');
  const baseUrl = `http://127.0.0.1:${port}`;
  const endChecks = checkAnswersOf(baseUrl);
  const call: TestServer['call'] = (path, init = {}, mode = 'live') =>
    fetch(baseUrl + path, {
      ...init,
      headers: { authorization: `Bearer ${test.firstRun.keys[mode]}`, ...init.headers },
    });
  return {
    ...test,
    baseUrl,
    call,
    submit: (body, mode) =>
      call(
        '/v1/videos',
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        mode,
      ),
    async close(closing) {
      endChecks();
      await server.close();
      await test.close(closing);
    },
  };
}
