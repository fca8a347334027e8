import { createServer } from 'node:http';
import { listen } from '../listen';

// The baseline for the list of models: one response kept as bytes, with the headers that it needs. The process copies
// it from the URL in the first argument.

async function main(): Promise<void> {
  const original = await fetch(process.argv[2] ?? '');
  const bytes = Buffer.from(await original.arrayBuffer());
  const etag = original.headers.get('etag') ?? '';
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else
      response
        .writeHead(200, { etag, 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
        .end(bytes);
  });
  server.keepAliveTimeout = 60_000;
  listen(server);
}

void main();
