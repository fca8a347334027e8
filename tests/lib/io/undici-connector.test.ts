import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Client } from 'undici';
import { createConnector } from '../../../lib/io/undici-connector';

let server: Server | undefined;
let client: Client | undefined;
afterEach(async () => {
  await client?.destroy();
  await new Promise((resolve) => server?.close(resolve));
});

/** A server that sends all at once and closes the connection, whatever the reader has taken. */
async function serve(headers: string, body: Buffer): Promise<Client> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${headers}\r\n`);
      socket.end(body);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return (client = new Client(`http://127.0.0.1:${port}`, { connect: createConnector({ timeout: 5_000 }) }));
}

const chunked = (body: Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
const framings = [
  ['a stated length', (body: Buffer) => [`Content-Length: ${body.length}\r\n`, body]],
  ['chunks', (body: Buffer) => ['Transfer-Encoding: chunked\r\n', chunked(body)]],
  ['the end of the connection', (body: Buffer) => ['', body]],
] as const;
// Around the sizes at which a client pauses and a socket hands over its data.
const sizes = [1_000, 65_536, 70_000, 131_072, 200_000, 262_144, 1_000_000];

it.each(framings.flatMap(([name, frame]) => sizes.map((size) => [size, name, frame] as const)))(
  'a response of %i bytes with %s reaches a slow reader whole although the server has closed the connection',
  async (size, _name, frame) => {
    const file = Buffer.alloc(size, 'abcdefg');
    const [headers, sent] = frame(file);
    const { body } = await (await serve(headers as string, sent as Buffer)).request({ path: '/', method: 'GET' });
    // Long enough for the end of the connection to arrive.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const received: Buffer[] = [];
    for await (const chunk of body) {
      received.push(chunk as Buffer);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(Buffer.concat(received).equals(file)).toBe(true);
  },
);

it('a response that ends early is an error for a slow reader', async () => {
  const { body } = await (
    await serve('Content-Length: 300000\r\n', Buffer.alloc(200_000))
  ).request({ path: '/', method: 'GET' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(body.arrayBuffer()).rejects.toThrow();
});

/** A server whose process is stopped, so that its kernel answers new connections only after `resume`. */
async function startStopped() {
  const source = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    console.log(this.address().port);
  })`;
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGSTOP');
  // Connections that fill its queue.
  const waiting = Array.from({ length: 8 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  await new Promise((resolve) => setTimeout(resolve, 200));
  return {
    port: Number(port),
    resume: () => child.kill('SIGCONT'),
    close() {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}

// On other systems a full queue refuses a connection, or answers it.
it.runIf(process.platform === 'linux')(
  'reaches the slow one of two addresses of a host, of which the other refuses',
  async () => {
    const { port, resume, close } = await startStopped();
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 as const }));
    const connector = createConnector({ timeout: 5_000, lookup: (_host, _options, done) => done(null, addresses) });
    const asked = new Promise((resolve, reject) => {
      const target = { hostname: 'far.example', protocol: 'http:', port: String(port) };
      connector(target, (error, socket) => (error ? reject(error) : resolve(socket.destroy())));
    });
    setTimeout(resume, 400);
    await asked.finally(close);
  },
);
