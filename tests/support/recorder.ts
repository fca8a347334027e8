import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server between a client and the product that records the JSON body of the last request and passes it on. */
export async function startRecorder(
  baseUrl: string,
): Promise<{ readonly url: string; body(): Record<string, unknown>; close(): Promise<void> }> {
  let text = '';
  const server = createServer((request, response) => {
    const pass = async () => {
      text = (await request.toArray()).join('');
      const answer = await fetch(baseUrl + request.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: keyOf(request.headers) },
        body: text,
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    };
    pass().catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // Safe: it listens on a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    body: () => JSON.parse(text) as Record<string, unknown>, // Safe: the body of a request is an object.
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The SDKs send the key in either header. */
function keyOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  return String(headers['authorization'] ?? `Bearer ${String(headers['x-api-key'])}`);
}
