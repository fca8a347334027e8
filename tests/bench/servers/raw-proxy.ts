import { createServer } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../listen';

// The baseline for messages: a proxy that only forwards, in the fastest way that Node offers.

const pool = new Pool(process.argv[2] ?? '', { pipelining: 1 });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    pool.dispatch(
      {
        method: 'POST',
        path: request.url ?? '/',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status, headers) =>
          void response.writeHead(status, { 'content-type': String(headers['content-type']) }),
        onResponseData: (_controller, chunk) => void response.write(chunk),
        onResponseEnd: () => void response.end(),
        onResponseError: () => void response.destroy(),
      },
    );
  });
});
server.keepAliveTimeout = 60_000;
listen(server);
