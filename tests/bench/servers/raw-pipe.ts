import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { Pool } from 'undici';
import { listen } from '../listen';

// The baseline for files: pipes one stream into another. It answers every request with the same file.

const pool = new Pool(process.argv[2] ?? '');

const server = createServer((_request, response) => {
  pool
    .request({ method: 'GET', path: '/videos/any/file' })
    .then(({ statusCode, headers, body }) => {
      response.writeHead(statusCode, {
        'content-type': 'video/mp4',
        'content-length': String(headers['content-length']),
      });
      pipeline(body, response, () => undefined);
    })
    .catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
listen(server);
