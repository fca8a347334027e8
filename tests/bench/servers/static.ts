import { createServer } from 'node:http';
import { listen } from '../listen';

// The yardstick for finished pages: one that is kept as bytes, with the headers that a page needs. It is taken over from the
// address in the first argument.

async function main(): Promise<void> {
  const answer = await fetch(process.argv[2] ?? '');
  const page = Buffer.from(await answer.arrayBuffer());
  const etag = answer.headers.get('etag') ?? '';
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else
      response
        .writeHead(200, { etag, 'content-type': 'application/json; charset=utf-8', 'content-length': page.length })
        .end(page);
  });
  server.keepAliveTimeout = 60_000;
  listen(server);
}

void main();
