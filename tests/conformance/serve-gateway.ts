import { createHttpServer } from '../../server/http';
import { checkAnswersOf } from '../support/check-answers';
import { freePort } from '../support/child-server';
import { makeGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway';

/** A test gateway with its HTTP server. Every JSON response is compared with the contract. */
export interface ServedGateway {
  readonly test: TestGateway;
  readonly baseUrl: string;
  /** A request with the key of this mode; `live` unless it is stated. */
  call(path: string, init?: RequestInit, mode?: 'live' | 'test'): Promise<Response>;
  submit(body: Readonly<Record<string, unknown>>, mode?: 'live' | 'test'): Promise<Response>;
  /** Closes the gateway, which checks the books. */
  close(): Promise<void>;
}

/** Serves the gateway on a free port. It may read media from this machine. */
export async function serveGateway({ env, ...options }: TestGatewayOptions): Promise<ServedGateway> {
  const port = await freePort();
  const test = await makeGateway({
    ...options,
    env: { OUTBOUND_ALLOW: '127.0.0.0/8', PORT: String(port), ...env },
  });
  const server = createHttpServer({
    gateway: test.gateway,
    nextHandler: async (_request, response) => void response.writeHead(404).end(),
  });
  await server.listen(port, '127.0.0.1');
  const baseUrl = `http://127.0.0.1:${port}`;
  const endChecks = checkAnswersOf(baseUrl);

  const call: ServedGateway['call'] = (path, init = {}, mode = 'live') =>
    fetch(baseUrl + path, {
      ...init,
      headers: { authorization: `Bearer ${test.firstRun.keys[mode]}`, ...init.headers },
    });
  return {
    test,
    baseUrl,
    call,
    submit: (body, mode) =>
      call(
        '/v1/videos',
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        mode,
      ),
    async close() {
      endChecks();
      await server.close();
      await test.close();
    },
  };
}
