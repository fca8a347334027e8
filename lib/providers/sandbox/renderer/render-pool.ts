import type { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from '../../../domain/clock';
import type { StartWorker } from '../../../workers';
import type { RenderAnswer, RenderTask } from './task';

// The rendering threads. They start on demand and end after an idle time: each holds a hundred megabytes of WebAssembly
// and canvases, which only the end of the thread releases.

const idleMs = 30_000;
/**
 * The longest video in the largest size takes several minutes on one slow core; a decoder in an endless loop never
 * ends.
 */
const mostRenderMs = 12 * 60_000;
/** WebAssembly memory never shrinks, so a thread that has rendered large or many frames is replaced. */
const mostPixelsKept = 1920 * 1088;
const mostTasks = 40;

interface Thread {
  readonly worker: Worker;
  tasks: number;
  largestPixels: number;
  stopIdleTimer: Cancel;
}

interface RenderPool {
  /**
   * Rejects if the thread ends without an answer, and immediately if the signal aborts. The caller limits how many run.
   */
  run(task: RenderTask, signal: AbortSignal): Promise<RenderAnswer>;
  close(): Promise<void>;
}

export function createRenderPool(deps: { startWorker: StartWorker; clock: Clock }): RenderPool {
  const idle: Thread[] = [];
  const busy = new Set<Thread>();

  function startThread(): Thread {
    return {
      worker: deps.startWorker('lib/providers/sandbox/renderer/render-worker.ts', undefined),
      tasks: 0,
      largestPixels: 0,
      stopIdleTimer: () => {},
    };
  }

  function keepOrEnd(thread: Thread): void {
    if (thread.tasks >= mostTasks || thread.largestPixels > mostPixelsKept) {
      void thread.worker.terminate();
      return;
    }
    // An idle thread must neither keep the process alive nor crash it.
    thread.worker.unref();
    const forget = () => {
      thread.stopIdleTimer();
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
      void thread.worker.terminate();
    };
    thread.worker.once('error', forget);
    thread.worker.once('exit', forget);
    thread.stopIdleTimer = deps.clock.after(idleMs, forget);
    idle.push(thread);
  }

  return {
    async run(task, signal) {
      signal.throwIfAborted();
      const thread = idle.pop() ?? startThread();
      const { worker } = thread;
      thread.stopIdleTimer();
      worker.removeAllListeners();
      worker.ref();
      busy.add(thread);
      thread.tasks += 1;
      thread.largestPixels = Math.max(thread.largestPixels, task.order.width * task.order.height);
      try {
        const answer = await new Promise<RenderAnswer>((resolve, reject) => {
          const stopTimer = deps.clock.after(mostRenderMs, () =>
            settle(() => reject(new Error('The rendering took too long.'))),
          );
          const aborted = () => settle(() => reject(signal.reason));
          const settle = (end: () => void) => {
            stopTimer();
            signal.removeEventListener('abort', aborted);
            worker.removeAllListeners();
            end();
          };
          signal.addEventListener('abort', aborted, { once: true });
          // Safe: this is our own thread, which posts nothing else.
          worker.on('message', (answer) => settle(() => resolve(answer as RenderAnswer)));
          worker.on('error', (error) => settle(() => reject(error)));
          worker.on('exit', () => settle(() => reject(new Error('The rendering thread ended.'))));
          worker.postMessage(task, transferable(task));
        });
        keepOrEnd(thread);
        return answer;
      } catch (error) {
        // The thread may still run its task; without a listener a later error would end the process.
        worker.on('error', () => {});
        await worker.terminate();
        throw error;
      } finally {
        busy.delete(thread);
      }
    },

    async close() {
      const threads = [...idle.splice(0), ...busy];
      for (const thread of threads) thread.stopIdleTimer();
      await Promise.all(threads.map((thread) => thread.worker.terminate()));
    },
  };
}

/** Large media are transferred rather than copied. A small buffer may share its memory with others, so it is copied. */
function transferable(task: RenderTask): ArrayBuffer[] {
  return task.media
    .map(({ bytes }) => bytes)
    .filter((bytes) => bytes.byteLength > 65_536 && bytes.byteLength === bytes.buffer.byteLength)
    .map((bytes) => bytes.buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}
