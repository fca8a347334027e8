import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    // The longer walks through the console have a command of their own: npm run test:e2e.
    exclude: ['tests/e2e/**', 'node_modules/**'],
    pool: 'forks',
    // Each fork opens embedded databases of some 300 MB and renders video; two keep two cores busy.
    maxWorkers: 2,
    maxConcurrency: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    globalSetup: ['tests/support/database-template.ts'],
  },
});
