import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';

// WEB_CONCURRENCY: a primary process starts workers, replaces those that die, and forwards the stop signal.

const RESTART_PAUSE_MS = 1_000;
/** A worker that ends sooner than this after its start counts as an early exit. */
const EARLY_EXIT_MS = 10_000;
/** After this many early exits in a row, the primary gives up, because another restart would not help. */
const MAX_EARLY_EXITS = 3;

/**
 * A worker's report to the primary of an error that a restart cannot mend, such as a port in use or an invalid setting.
 */
interface StartFailure {
  readonly startFailure: string;
}

/**
 * Whether this process prints what the operator should read once per machine. A worker that replaces another has a
 * higher number and is not the first.
 */
export const isFirstProcess = () => (cluster.worker?.id ?? 1) === 1;

/** Ends this worker process. The primary prints the message once, even if several workers send it, and ends too. */
export function reportStartFailure(sentence: string): void {
  const failure: StartFailure = { startFailure: sentence };
  if (process.send) process.send(failure, undefined, undefined, () => process.exit(1));
  else process.exit(1);
}

export function supervise(processes: number): void {
  let stopping = false;
  let earlyExits = 0;

  function fork(): void {
    const startedAt = performance.now();
    const worker = cluster.fork();
    worker.on('message', (message: unknown) => {
      if (isStartFailure(message)) giveUp(message.startFailure);
    });
    worker.on('exit', () => {
      if (stopping) return;
      earlyExits = performance.now() - startedAt < EARLY_EXIT_MS ? earlyExits + 1 : 0;
      if (earlyExits >= MAX_EARLY_EXITS) {
        giveUp(
          `${MAX_EARLY_EXITS} processes in a row ended within ${EARLY_EXIT_MS / 1000} seconds of their start; Patchbay stops. The reason is printed above.`,
        );
        return;
      }
      process.stderr.write(`Process ${worker.process.pid} ended; another is started.\n`);
      void pause(RESTART_PAUSE_MS).then(() => {
        if (!stopping) fork();
      });
    });
  }

  function stop(signal: NodeJS.Signals): void {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    if (hasNoWorkers()) process.exit();
  }

  function giveUp(sentence: string): void {
    if (stopping) return;
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
    stop('SIGTERM');
  }

  cluster.on('exit', () => {
    if (stopping && hasNoWorkers()) process.exit();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  for (let started = 0; started < processes; started += 1) fork();
}

const hasNoWorkers = () => Object.keys(cluster.workers ?? {}).length === 0;

function isStartFailure(message: unknown): message is StartFailure {
  return (
    typeof message === 'object' &&
    message !== null &&
    'startFailure' in message &&
    typeof message.startFailure === 'string'
  );
}
