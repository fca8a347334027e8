import { parentPort } from 'node:worker_threads';
import { probeBlocks, type KnownBlocks, type ProbeAnswer } from './probe-blocks';
import type { WorkerAnswer } from './worker-pool';

// The thread that reads the facts of video files.

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

port.on('message', (known: KnownBlocks) => {
  probeBlocks(known).then(
    (answer) => port.postMessage({ answer } satisfies WorkerAnswer<ProbeAnswer>),
    () => port.postMessage({ failure: 'The file could not be read.' } satisfies WorkerAnswer<ProbeAnswer>),
  );
});
