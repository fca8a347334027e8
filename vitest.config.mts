import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    // The longer walks through the console have a command of their own: npm run test:e2e.
    exclude: ['tests/e2e/**', 'node_modules/**'],
    pool: 'forks',
    // Each fork opens embedded databases of some 300 MB. One more than a small machine has cores, because many files mostly wait.
    maxWorkers: 3,
    maxConcurrency: 3,
    // Only a test that hangs meets these: a machine that is busy with something else may be several times slower.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
    restoreMocks: true,
    globalSetup: ['tests/support/database-template.ts'],
  },
});
