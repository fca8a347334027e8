import { oneFileAtATime } from './vitest.config.mjs';

// `npm run test:long`: proofs that take minutes to hours.
export default oneFileAtATime(['tests/long/**/*.test.ts']);
