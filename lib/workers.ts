import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

// The only place that starts worker threads, because the file to run differs. In a build, it is a bundled entry below
// `dist`. In development and tests, it is the TypeScript source, which Node 20 loads in a worker only with `--require
// tsx/cjs` (with `--import tsx` it fails with "Unknown file extension .ts"). Paths start at the project root and never
// name a bundle.

/**
 * Creates a function that starts the worker of `source`, a path from the project root such as
 * `lib/db/pglite-worker.ts`. With a limit of its heap in MB, a worker that needs more memory ends without affecting the
 * process.
 */
export function createWorkerStarter(projectRoot: string, built: boolean) {
  return function startWorker(source: string, workerData: unknown, maxHeapMb?: number): Worker {
    const options = {
      workerData,
      ...(maxHeapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
    };
    if (!built) {
      return new Worker(path.join(projectRoot, source), { ...options, execArgv: ['--require', 'tsx/cjs'] });
    }
    const entry = path.join(projectRoot, 'dist', source.replace(/\.ts$/, '.cjs'));
    if (!existsSync(entry)) throw new Error(`${entry} is missing. Run "npm run build".`);
    return new Worker(entry, options);
  };
}

export type StartWorker = ReturnType<typeof createWorkerStarter>;
