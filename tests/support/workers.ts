import { createWorkerStarter, type StartWorker } from '../../lib/workers';
import { bundleServer } from './bundle-server';
import { projectRoot } from './project';

const startBundled = createWorkerStarter(projectRoot, true);

/**
 * Starts workers as the product does, bundled. To compile its sources takes a worker a fifth of a second of processor
 * time, and tests start many.
 */
export const startWorker: StartWorker = (source, ...rest) => {
  bundleServer(source);
  return startBundled(source, ...rest);
};
