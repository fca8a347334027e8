// `npm test`: the whole suite; with `--e2e`, the browser tests including the long ones. Its last line is `N passed, N
// failed`, whatever else was printed. Other arguments are the test files to run.
import { startVitest } from 'vitest/node';
import { buildAll, isBuilt } from '../../server/build.mjs';

// Built once before all tests, because several files need it and would build at the same time.
if (!isBuilt()) await buildAll();

const filters = process.argv.slice(2).filter((argument) => argument !== '--e2e');
const config = process.argv.includes('--e2e') ? 'vitest.e2e.config.mts' : 'vitest.config.mts';
const vitest = await startVitest('test', filters, { run: true, watch: false, config });
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const file of vitest.state.getTestModules()) {
  // A file that fails to load has no tests, and still counts as a failure.
  if (file.state() === 'failed' && [...file.children.allTests()].every((test) => test.result().state !== 'failed'))
    counts.failed += 1;
  for (const test of file.children.allTests()) {
    const { state } = test.result();
    if (state in counts) counts[state] += 1;
  }
}
const unhandled = vitest.state.getUnhandledErrors().length;
await vitest.close();
const failed = counts.failed + unhandled;
if (unhandled > 0) console.log(`${unhandled} errors were thrown outside of any test; each counts as a failure.`);
if (counts.passed === 0) console.log('No test ran.');
console.log(`${counts.passed} passed, ${failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}`);
process.exit(failed > 0 || counts.passed === 0 ? 1 : 0);
