import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

// A listener on loopback that records connections: tests point URLs that must not be called to it.

export interface Sentinel {
  readonly port: number;
  /** TCP connections so far, with or without a request. */
  connections(): number;
  /** Requests so far, with their bodies. */
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers every request with `answer`, by default 200 and `here`. */
export async function startSentinel(
  answer: RequestListener = (_request, response) => void response.end('here'),
): Promise<Sentinel> {
  let connections = 0;
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      answer(request, response);
    });
  });
  server.on('connection', () => void (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // Safe: a listening TCP server has an address with a port.
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
