import path from 'node:path';
import manifest from '../../package.json';

// The project's root, for tests and for the benchmark, which runs outside the test runner.

export const projectRoot = path.resolve(__dirname, '../..');

/**
 * Arguments of Node for the processes of a test. The embedded database is WebAssembly, and V8 spends two seconds of
 * processor time on optimising its code, which a process that lives for a few seconds never gets back. So only code that
 * runs much is optimised, such as that of the sandbox's voice.
 */
export const SHORT_LIVED = ['--wasm-tiering-budget=100000000'];

/** The arguments that `npm start` passes to Node. */
export const PRODUCT_ARGS: readonly string[] = manifest.scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));
