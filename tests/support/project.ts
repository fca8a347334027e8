import path from 'node:path';
import { createWorkerStarter } from '../../lib/workers';

// Where the checkout lies, for tests and for the benchmark, which runs outside the test runner.

export const projectRoot = path.resolve(__dirname, '../..');
export const startWorker = createWorkerStarter(projectRoot, false);
