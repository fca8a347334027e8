import { oneFileAtATime } from './vitest.config.mjs';

// `npm run test:e2e`: everything that a browser checks, the longer walks of tests/e2e included.
export default oneFileAtATime(['tests/console/**/*.test.ts', 'tests/e2e/**/*.test.ts']);
