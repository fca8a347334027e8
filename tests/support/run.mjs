// `npm test`: the whole suite. Its last line is `N passed, N failed`, whatever else was printed.
import { startVitest } from 'vitest/node';

const vitest = await startVitest('test', process.argv.slice(2), { run: true, watch: false });
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const module of vitest.state.getTestModules()) {
  // A file that could not even be loaded has no tests, and is a failure nevertheless.
  if (module.state() === 'failed' && [...module.children.allTests()].every((test) => test.result().state !== 'failed')) counts.failed += 1;
  for (const test of module.children.allTests()) {
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
