import path from 'node:path';
import { systemClock } from '../../../lib/domain/clock';
import { createRenderThreads } from '../../../lib/providers/sandbox/renderer/renders';
import { startWorker } from '../../support/workers';
import { makeOrder } from './make-sandbox';

// A process of its own that renders the number of small videos in its second argument into the folder in its first, one
// after another. After each it prints the memory of the process, in bytes.

async function main(): Promise<void> {
  const [folder = '', count = ''] = process.argv.slice(2);
  const threads = createRenderThreads({
    maxThreads: 1,
    clock: systemClock,
    startWorker,
  });
  for (let index = 0; index < Number(count); index += 1) {
    const order = makeOrder({ width: 96, height: 54, fps: 2, audio: index % 5 === 0, prompt: `Video number ${index}` });
    const outputPath = path.join(folder, 'video.mp4');
    const answer = await threads.run(
      { order, modelName: 'sandbox-t2v', media: [], outputPath },
      { signal: new AbortController().signal },
    );
    if (answer.status !== 'rendered') throw new Error(answer.message);
    process.stdout.write(`${process.memoryUsage.rss()}\n`);
  }
  await threads.close();
}

void main();
