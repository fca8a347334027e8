import { defineConfig } from 'vitest/config';
import everyday from './vitest.config.mjs';

// `npm run test:long`: proofs that take minutes to hours. One file at a time: each starts several processes.
export default defineConfig({
  ...everyday,
  test: {
    ...everyday.test,
    // Projects have files of their own, which would run in place of these.
    projects: undefined,
    isolate: false,
    include: ['tests/long/**/*.test.ts'],
    exclude: ['node_modules/**'],
    maxWorkers: 1,
  },
});
