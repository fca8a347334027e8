import path from 'node:path';
import { createWorkerStarter } from '../../lib/workers';

// The project's root, for tests and for the benchmark, which runs outside the test runner.

export const projectRoot = path.resolve(__dirname, '../..');
export const startWorker = createWorkerStarter(projectRoot, false);
