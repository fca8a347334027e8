import { writeFile } from 'node:fs/promises';
import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { probeVideo } from '../../../io/video-file';
import { renderVideo } from './render-video';
import type { WorkerAnswer } from '../../../io/worker-pool';
import { RenderFailure } from './task';
import type { RenderAnswer, RenderTask } from './task';

// The rendering thread: one task at a time. An error that is not caused by the order ends the thread, because a
// WebAssembly encoder that has failed once cannot be trusted with the next video.

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

// Requests come first: on Linux a priority belongs to the calling thread alone. Elsewhere it belongs to the process, so
// it stays as it is, and requests have the core on which nothing is rendered. A server that was started with a lower
// priority keeps that one, because only root may raise it.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (platform() === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

port.on('message', (task: RenderTask) => {
  void render(task).then((answer) => port.postMessage({ answer } satisfies WorkerAnswer<RenderAnswer>));
});

async function render(task: RenderTask): Promise<RenderAnswer> {
  try {
    await writeFile(task.outputPath, await renderVideo(task));
    const facts = await probeVideo({ path: task.outputPath });
    if (!facts) throw new Error('The rendered file is not a video.');
    return {
      status: 'rendered',
      facts: { width: facts.width, height: facts.height, fps: facts.fps, durationSeconds: facts.durationSeconds },
    };
  } catch (error) {
    if (error instanceof RenderFailure) return { status: 'failed', code: error.code, message: error.message };
    throw error;
  }
}
