import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

// Worker threads are started here and nowhere else, because the file to run differs: built, it is a bundled entry below
// `dist`; in dev and in tests it is the TypeScript source, which Node 20 loads in a worker only with `--require tsx/cjs`
// (with `--import tsx` it answers "Unknown file extension .ts"). Paths start at the project root, never at a bundle.

/** Starts the worker whose source is `source`, a path from the project root such as `lib/db/pglite-worker.ts`. */
export function createWorkerStarter(projectRoot: string, built: boolean) {
  return function startWorker(source: string, workerData: unknown): Worker {
    if (!built) {
      return new Worker(path.join(projectRoot, source), { workerData, execArgv: ['--require', 'tsx/cjs'] });
    }
    const entry = path.join(projectRoot, 'dist', source.replace(/\.ts$/, '.cjs'));
    if (!existsSync(entry)) throw new Error(`${entry} is missing. Run "npm run build".`);
    return new Worker(entry, { workerData });
  };
}

export type StartWorker = ReturnType<typeof createWorkerStarter>;
