import { defineConfig } from 'vitest/config';
import { oneFileAtATime } from './vitest.config.mjs';

/** The proofs that the gate runs in a short form. */
const proofs = [
  'clock-skew',
  'fleet',
  'flood',
  'last-dollar',
  'master-key',
  'outages',
  'revocation',
  'rolling-restart',
  'two-workers',
];

const long = oneFileAtATime(['tests/long/**/*.test.ts', `tests/process/{${proofs.join(',')}}.test.ts`]);

// `npm run test:long`: proofs that take minutes to hours.
export default defineConfig({
  ...long,
  test: { ...long.test, env: { PROOF_RUNS: process.env.PROOF_RUNS ?? '1', LONG_PROOFS: '1' } },
});
