// `npm test` runs the whole suite; with `--e2e`, the longer browser tests of the console; with `--long`, the long proofs
// of tests/long; with `--upgrade`, the upgrade from the version before. Other arguments name the test files to run.
// Before the last line come the slowest files, which are also written to `.next/cache/slowest-tests.json`; the last line
// is always `N passed, N failed`, and the number of skipped tests if there are any.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVitest } from 'vitest/node';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { filesLeftToGate } from './gate-files.mjs';

const SLOWEST_FILES = 20;
const SLOWEST_FILES_PATH = '.next/cache/slowest-tests.json';

const configs = {
  everyday: 'vitest.config.mts',
  '--e2e': 'vitest.e2e.config.mts',
  '--long': 'vitest.long.config.mts',
  '--upgrade': 'vitest.upgrade.config.mts',
};
const isUpgrade = process.argv.includes('--upgrade');

// Once and before all tests, because several files need it and would otherwise build at the same time.
if (!isBuilt()) await buildAll();

const filters = process.argv.slice(2).filter((argument) => !(argument in configs));
// What is named runs, also if the gate alone runs it otherwise.
if (filters.length > 0) process.env.NAMED_FILES = '1';
const config = configs[process.argv.find((argument) => argument in configs)] ?? configs.everyday;
const vitest = await createVitest('test', { run: true, watch: false, config });
// The first signal cancels what has not begun and lets running tests clean up, so that failures are still printed. The
// listeners of Vitest would end it at once.
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.removeAllListeners(signal);
  process.once(signal, () => {
    isInterrupted = true;
    console.log(`${signal}: the tests that run are the last. The next one ends it at once.`);
    void vitest.cancelCurrentRun('keyboard-input');
  });
}
await vitest.start(filters);
const counts = { passed: 0, failed: 0, skipped: 0 };
let leftToGate = 0;
const durations = [];
for (const file of vitest.state.getTestModules()) {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = file.diagnostic();
  const ms = environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration;
  durations.push({ file: file.relativeModuleId, seconds: Math.round(ms / 100) / 10 });
  // A file that could not be loaded has no tests and counts as a failure.
  if (file.state() === 'failed' && [...file.children.allTests()].every((test) => test.result().state !== 'failed'))
    counts.failed += 1;
  for (const test of file.children.allTests()) {
    const { state } = test.result();
    if (test.meta().leftToGate) leftToGate += 1;
    else if (state in counts) counts[state] += 1;
  }
}
const unhandled = vitest.state.getUnhandledErrors().length;
await vitest.close();

const slowest = durations.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES);
mkdirSync(path.dirname(SLOWEST_FILES_PATH), { recursive: true });
writeFileSync(SLOWEST_FILES_PATH, `${JSON.stringify(slowest, undefined, 2)}\n`);
console.log('The slowest test files, in seconds, loading included:');
for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);

const leftFiles = config === configs.everyday ? filesLeftToGate() : [];
if (leftToGate > 0 || leftFiles.length > 0)
  console.log(
    `${leftFiles.length} more files and ${leftToGate} more tests run only with PROOF_RUNS=1, as in the gate.`,
  );
const failed = counts.failed + unhandled;
if (unhandled > 0) console.log(`${unhandled} errors were thrown outside of any test; each counts as a failure.`);
const ranNone = counts.passed === 0 && !(isUpgrade && counts.skipped > 0);
if (counts.passed === 0) console.log('No test ran.');
console.log(`${counts.passed} passed, ${failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}`);
process.exit(failed > 0 || ranNone || isInterrupted ? 1 : 0);
