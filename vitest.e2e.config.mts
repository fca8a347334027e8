import { defineConfig } from 'vitest/config';
import everyday from './vitest.config.mjs';

// `npm run test:e2e`: everything that a browser checks, the longer walks of tests/e2e included. One file at a time: each
// starts the product and a browser, and some of them measure.
export default defineConfig({
  ...everyday,
  test: {
    ...everyday.test,
    // Projects have files of their own, which would run in place of these.
    projects: undefined,
    isolate: false,
    include: ['tests/console/**/*.test.ts', 'tests/e2e/**/*.test.ts'],
    exclude: ['node_modules/**'],
    maxWorkers: 1,
    testTimeout: 120_000,
  },
});
