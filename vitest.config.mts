import { defineConfig } from 'vitest/config';
import { filesLeftToGate } from './tests/support/gate-files.mjs';

/** These replace a module (`vi.mock`), so that they need a module graph of their own. */
const replacingModules = ['tests/lib/accounts/password.test.ts'];

const everyday = defineConfig({
  test: {
    pool: 'forks',
    // Each fork opens embedded databases of some 300 MB. One more than a small machine has cores, because many files mostly wait.
    maxWorkers: 3,
    maxConcurrency: 3,
    // SHORT_LIVED of tests/support/project.ts: a fork too opens embedded databases that it uses for a few seconds each.
    execArgv: ['--wasm-tiering-budget=100000000'],
    // Only a test that hangs meets these: a machine that is busy with something else may be several times slower.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
    restoreMocks: true,
    unstubGlobals: true,
    globalSetup: ['tests/support/database-template.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
          // The longer walks through the console, the long proofs and upgrades have commands of their own.
          exclude: [
            'tests/e2e/**',
            'tests/long/**',
            'tests/upgrade/**',
            'node_modules/**',
            ...replacingModules,
            ...filesLeftToGate(),
          ],
          // The modules are loaded once per fork, which takes longer than most files do. It is safe because no module of
          // ours keeps state (tests/architecture.test.ts checks it).
          isolate: false,
        },
      },
      { extends: true, test: { name: 'replacing modules', include: replacingModules } },
    ],
  },
});

export default everyday;

/** The same settings for other files, one at a time: each starts the product, and some of them measure. */
export const oneFileAtATime = (include: readonly string[]) =>
  defineConfig({
    ...everyday,
    test: {
      ...everyday.test,
      // Projects have files of their own, which would run in place of these.
      projects: undefined,
      isolate: false,
      include: [...include],
      exclude: ['node_modules/**'],
      maxWorkers: 1,
    },
  });
