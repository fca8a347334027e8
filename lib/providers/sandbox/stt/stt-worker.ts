import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from '../../../io/worker-pool';
import { loadRecogniser } from './moonshine';

// The recognition thread: takes one utterance at a time and answers with its text.

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

const post = (message: WorkerAnswer<string>) => port.postMessage(message);
const loading = loadRecogniser();
let last: Promise<void> = Promise.resolve();

port.on('message', (samples: Float32Array) => {
  last = last.then(async () => {
    try {
      const recogniser = await loading;
      post({ answer: samples.length === 0 ? '' : await recogniser.recognise(samples) });
    } catch {
      post({ failure: 'The recogniser failed.' });
    }
  });
});
