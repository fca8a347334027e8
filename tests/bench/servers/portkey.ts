import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConnection } from 'node:net';
import { freePort } from '../../support/child-server';
import { endWithParent } from '../listen';
import { pause } from '../measure';

// Portkey's gateway as its own start script runs it, from the folder in the first argument. It takes a port and does not say
// when it listens, so it is asked.

async function main(): Promise<void> {
  endWithParent();
  const port = await freePort();
  const server = createRequire(path.join(process.argv[2] ?? '', 'package.json')).resolve(
    '@portkey-ai/gateway/build/start-server.js',
  );
  process.argv = [process.execPath, server, `--port=${port}`, '--headless'];
  await import(pathToFileURL(server).href);
  while (!(await listens(port))) await pause(50);
  process.send?.({ port });
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(true));
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
  });
}

void main();
