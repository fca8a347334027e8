import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from '../../io/worker-pool';
import type { CountTask } from './token-counter';
import { countTokensOf } from './tokenizer';

// The token-counting worker thread. It counts the texts of one body at a time.

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

port.on('message', ({ texts, tokenizer }: CountTask) => {
  countTokensOf(texts, tokenizer).then(
    (answer) => port.postMessage({ answer } satisfies WorkerAnswer<number>),
    () => port.postMessage({ failure: 'The tokens could not be counted.' } satisfies WorkerAnswer<number>),
  );
});
