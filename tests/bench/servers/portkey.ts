import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConnection } from 'node:net';
import { freePort } from '../../support/child-server';
import { exitWithParent } from '../listen';
import { sleep } from '../measure';

// Runs Portkey's gateway with its own start script, from the folder in the first argument. The script does not report
// when it listens, so this process tries to connect until it succeeds.

async function main(): Promise<void> {
  exitWithParent();
  const port = await freePort();
  const script = createRequire(path.join(process.argv[2] ?? '', 'package.json')).resolve(
    '@portkey-ai/gateway/build/start-server.js',
  );
  process.argv = [process.execPath, script, `--port=${port}`, '--headless'];
  await import(pathToFileURL(script).href);
  while (!(await canConnect(port))) await sleep(50);
  process.send?.({ port });
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(true));
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
  });
}

void main();
