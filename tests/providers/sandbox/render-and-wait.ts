import { text } from 'node:stream/consumers';
import { newId } from '../../../lib/domain/ids';
import { makeSandbox, makeStart } from './make-sandbox';

// A process of its own that begins the video it reads from its input and runs until it is killed.

async function main(): Promise<void> {
  const sandbox = await makeSandbox({ dataDir: process.argv[2] ?? newId('video') });
  await sandbox.video.start(
    { ...makeStart(), ...JSON.parse(await text(process.stdin)) },
    { signal: new AbortController().signal, log: sandbox.log },
  );
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

void main();
