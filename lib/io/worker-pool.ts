import type { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from '../domain/clock';
import type { StartWorker } from '../workers';

// The pool of worker threads for everything that would block the event loop: counting tokens, rendering, speech. A
// thread takes one task at a time, so waiting tasks can be cancelled or overtaken. Threads start on demand and end
// after some idle time. Why not a library: docs/decisions/own-worker-pool.md.

/** What a worker posts once per task. A worker whose memory can no longer be trusted throws instead. */
export type WorkerAnswer<Answer> = { readonly answer: Answer } | { readonly failure: string };

export interface WorkerPoolOptions<Task> {
  /** The worker's file, from the project root. */
  readonly source: string;
  readonly maxThreads: number;
  /** A thread without a task for this long is ended. */
  readonly idleTimeoutMs: number;
  /** A task that runs for longer fails, and its thread is ended. */
  readonly taskTimeoutMs: number;
  /**
   * What an abort does to a task that is running. `'end-thread'` frees the processor at once, for long tasks.
   * `'drop-answer'` keeps the thread with what it has loaded, for short tasks. Default: `'drop-answer'`.
   */
  readonly onAbort?: 'end-thread' | 'drop-answer';
  /** A thread is replaced after this many tasks. Default: no limit. */
  readonly maxTasksPerThread?: number;
  /** True for a task after which the thread is replaced, because its memory would stay. */
  readonly isLastTask?: (task: Task) => boolean;
  /** Buffers of the task that are moved to the thread instead of copied. */
  readonly transferList?: (task: Task) => ArrayBuffer[];
  /** A thread whose heap grows beyond this is ended, and its task fails. Default: the limit of Node. */
  readonly maxHeapMb?: number;
  readonly startWorker: StartWorker;
  readonly clock: Clock;
}

export interface WorkerPool<Task, Answer> {
  /**
   * Returns the worker's answer. `urgent` tasks overtake the others. Rejects with the signal's reason if it aborts;
   * with `onAbort: 'end-thread'` only after the thread has ended. Rejects with an error if the worker reports a
   * failure, throws or exits, if the task takes longer than `taskTimeoutMs`, and if the pool is closed.
   */
  run(task: Task, options: { readonly signal: AbortSignal; readonly urgent?: boolean }): Promise<Answer>;
  /** Resolves when a thread has answered a task; runs `task` if none has. Rejects as `run` does. */
  warmUp(task: Task, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Starts a thread if there is none, so that the next task does not wait for the start. */
  start(): void;
  /** Number of tasks that wait for a thread. */
  waiting(): number;
  /** Ends all threads and rejects all tasks. */
  close(): Promise<void>;
}

interface Waiting<Task, Answer> {
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
  /** Stops listening to the signal as a waiting task. */
  readonly stopWaiting: () => void;
}

interface Thread {
  readonly worker: Worker;
  stopIdleTimer: Cancel;
  busy: boolean;
  tasks: number;
  hasAnswered: boolean;
  /** Called when the thread ends by itself. */
  onEnd: (error: unknown) => void;
}

export function createWorkerPool<Task, Answer>({
  source,
  maxThreads,
  idleTimeoutMs,
  taskTimeoutMs,
  onAbort = 'drop-answer',
  maxTasksPerThread = Infinity,
  isLastTask = () => false,
  transferList = () => [],
  maxHeapMb,
  startWorker,
  clock,
}: WorkerPoolOptions<Task>): WorkerPool<Task, Answer> {
  const threads = new Set<Thread>();
  const urgent: Waiting<Task, Answer>[] = [];
  const others: Waiting<Task, Answer>[] = [];
  let closed = false;

  function startNext(): void {
    if (closed || urgent.length + others.length === 0) return;
    let thread = [...threads].find(({ busy }) => !busy);
    if (!thread && threads.size < maxThreads) thread = startThread();
    if (!thread) return;
    const next = urgent.shift() ?? others.shift();
    if (next) work(thread, next);
  }

  function startThread(): Thread {
    const worker = startWorker(source, undefined, maxHeapMb);
    const thread: Thread = {
      worker,
      stopIdleTimer: () => {},
      busy: false,
      tasks: 0,
      hasAnswered: false,
      onEnd: () => {},
    };
    threads.add(thread);
    // Permanently, also while it is idle or terminated: an unhandled `error` event would end the process.
    worker.on('error', (error) => thread.onEnd(error));
    worker.on('exit', () => thread.onEnd(new Error('A worker thread ended.')));
    return thread;
  }

  async function endThread(thread: Thread): Promise<void> {
    thread.stopIdleTimer();
    thread.onEnd = () => {};
    // Takes no more tasks, but counts until it has ended: before that, its processor and memory are not free.
    thread.busy = true;
    await thread.worker.terminate();
    threads.delete(thread);
    startNext();
  }

  function work(thread: Thread, { task, signal, resolve, reject, stopWaiting }: Waiting<Task, Answer>): void {
    const { worker } = thread;
    stopWaiting();
    thread.stopIdleTimer();
    thread.busy = true;
    thread.tasks += 1;
    const isLast = thread.tasks >= maxTasksPerThread || isLastTask(task);
    worker.ref();
    const stopTimer = clock.after(taskTimeoutMs, () => fail(new Error('A task took too long.')));
    const aborted = () => (onAbort === 'end-thread' ? fail(signal.reason) : reject(signal.reason));
    signal.addEventListener('abort', aborted, { once: true });
    const settle = () => {
      stopTimer();
      signal.removeEventListener('abort', aborted);
      worker.off('message', receive);
    };
    const fail = (error: unknown) => {
      settle();
      void endThread(thread).finally(() => reject(error));
    };
    const receive = (message: WorkerAnswer<Answer>) => {
      if ('failure' in message) return fail(new Error(message.failure));
      settle();
      thread.hasAnswered = true;
      if (isLast || closed) void endThread(thread);
      else rest(thread);
      resolve(message.answer);
      startNext();
    };
    thread.onEnd = fail;
    worker.on('message', receive);
    worker.postMessage(task, transferList(task));
  }

  function rest(thread: Thread): void {
    thread.busy = false;
    const end = () => void endThread(thread);
    thread.onEnd = end;
    // An idle thread must not keep a process alive.
    thread.worker.unref();
    thread.stopIdleTimer = clock.after(idleTimeoutMs, end);
  }

  function run(
    task: Task,
    { signal, urgent: overtakes = false }: { readonly signal: AbortSignal; readonly urgent?: boolean },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (closed) return reject(poolClosed());
      const queue = overtakes ? urgent : others;
      const aborted = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const stopWaiting = () => signal.removeEventListener('abort', aborted);
      const waiting: Waiting<Task, Answer> = { task, signal, resolve, reject, stopWaiting };
      signal.addEventListener('abort', aborted, { once: true });
      queue.push(waiting);
      startNext();
    });
  }

  return {
    run,
    async warmUp(task, { signal }) {
      if ([...threads].some(({ hasAnswered }) => hasAnswered)) return;
      await run(task, { signal, urgent: true });
    },
    start() {
      if (!closed && threads.size === 0) rest(startThread());
    },
    waiting: () => urgent.length + others.length,
    async close() {
      closed = true;
      for (const { reject, stopWaiting } of [...urgent.splice(0), ...others.splice(0)]) {
        stopWaiting();
        reject(poolClosed());
      }
      // The end of a busy thread rejects its task.
      await Promise.all(
        [...threads].map((thread) => {
          thread.stopIdleTimer();
          return thread.worker.terminate();
        }),
      );
    },
  };
}

const poolClosed = () => new Error('The worker pool was closed.');
