import type { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from './domain/clock';
import type { StartWorker } from './workers';

// A small pool of threads for many small tasks. Each thread takes one task at a time, so that waiting tasks can be
// cancelled or overtaken. Threads are started on demand and ended after some idle time.

export interface TaskThreads<Task, Answer> {
  /**
   * The worker's answer. `urgent` tasks overtake the others. Rejects with the signal's reason as soon as it aborts (a
   * running task still finishes and its result is dropped), and when the thread ends or takes longer than `mostTaskMs`.
   */
  run(task: Task, options: { readonly signal: AbortSignal; readonly urgent?: boolean }): Promise<Answer>;
  /**
   * Resolves when a thread has answered a task since it was started. If none has, `task` is run for that. Rejects as
   * `run` does.
   */
  warmUp(task: Task, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Starts a thread if there is none, so that the next task need not wait for the start. */
  start(): void;
  /** Tasks that wait for a thread. */
  waiting(): number;
  close(): Promise<void>;
}

interface Waiting<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
  readonly forget: () => void;
}

export interface TaskThreadsDeps {
  readonly source: string;
  readonly threads: number;
  readonly idleMs: number;
  readonly mostTaskMs: number;
  readonly startWorker: StartWorker;
  readonly clock: Clock;
}

interface Thread {
  readonly worker: Worker;
  stopIdleTimer: Cancel;
  busy: boolean;
  hasAnswered: boolean;
  /** Called when the thread ends by itself. */
  onEnd: (error: unknown) => void;
}

export function createTaskThreads<Task, Answer>({
  source,
  threads: most,
  idleMs,
  mostTaskMs,
  startWorker,
  clock,
}: TaskThreadsDeps): TaskThreads<Task, Answer> {
  const threads = new Set<Thread>();
  const urgent: Waiting<Task, Answer>[] = [];
  const others: Waiting<Task, Answer>[] = [];
  let closed = false;

  function startNext(): void {
    if (urgent.length + others.length === 0) return;
    let thread = [...threads].find(({ busy }) => !busy);
    if (!thread && threads.size < most) {
      thread = startThread();
    }
    if (!thread) return;
    const next = urgent.shift() ?? others.shift();
    if (next) work(thread, next);
  }

  function startThread(): Thread {
    const worker = startWorker(source, undefined);
    const thread: Thread = { worker, stopIdleTimer: () => {}, busy: false, hasAnswered: false, onEnd: () => {} };
    threads.add(thread);
    // Permanently, also while it is idle: an unhandled `error` event would end the process.
    worker.on('error', (error) => thread.onEnd(error));
    worker.on('exit', () => thread.onEnd(new Error('A worker thread ended.')));
    return thread;
  }

  function work(thread: Thread, { task, resolve, reject, forget }: Waiting<Task, Answer>): void {
    const { worker } = thread;
    thread.stopIdleTimer();
    thread.busy = true;
    worker.ref();
    const stopTimer = clock.after(mostTaskMs, () => fail(new Error('A task took too long.')));
    const settle = () => {
      stopTimer();
      forget();
      worker.off('message', receive);
      thread.onEnd = () => {};
    };
    const fail = (error: unknown) => {
      settle();
      threads.delete(thread);
      void worker.terminate();
      reject(error);
      startNext();
    };
    const receive = (message: { readonly answer: Answer } | { readonly failure: string }) => {
      if ('failure' in message) return fail(new Error(message.failure));
      settle();
      thread.hasAnswered = true;
      rest(thread);
      resolve(message.answer);
      startNext();
    };
    thread.onEnd = fail;
    worker.on('message', receive);
    worker.postMessage(task);
  }

  function rest(thread: Thread): void {
    thread.busy = false;
    const forget = () => {
      thread.stopIdleTimer();
      threads.delete(thread);
      void thread.worker.terminate();
    };
    thread.onEnd = forget;
    // An idle thread must not keep a process alive.
    thread.worker.unref();
    thread.stopIdleTimer = clock.after(idleMs, forget);
  }

  function run(
    task: Task,
    { signal, urgent: overtakes = false }: { readonly signal: AbortSignal; readonly urgent?: boolean },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (closed) return reject(new Error('The threads were ended.'));
      const queue = overtakes ? urgent : others;
      const aborted = () => {
        const at = queue.indexOf(waiting);
        if (at >= 0) queue.splice(at, 1);
        reject(signal.reason);
      };
      const forget = () => signal.removeEventListener('abort', aborted);
      const waiting: Waiting<Task, Answer> = { task, resolve, reject, forget };
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
      for (const { reject, forget } of [...urgent.splice(0), ...others.splice(0)]) {
        forget();
        reject(new Error('The threads were ended.'));
      }
      await Promise.all(
        [...threads].map((thread) => {
          thread.stopIdleTimer();
          return thread.worker.terminate();
        }),
      );
    },
  };
}
