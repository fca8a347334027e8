import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';

// WEB_CONCURRENCY: one primary that only starts processes, replaces those that die, and passes the stop signal on.

const RESTART_PAUSE_MS = 1_000;

export function supervise(processes: number): void {
  let stopping = false;
  for (let started = 0; started < processes; started += 1) cluster.fork();
  cluster.on('exit', (worker) => {
    if (stopping) {
      if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
      return;
    }
    process.stderr.write(`Process ${worker.process.pid} ended; another is started.\n`);
    // A fault at start must not become a tight loop.
    void pause(RESTART_PAUSE_MS).then(() => {
      if (!stopping) cluster.fork();
    });
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping = true;
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    });
  }
}
