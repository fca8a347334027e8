import { oneFileAtATime } from './vitest.config.mjs';

// `npm run test:upgrade`: an upgrade from the version before, which needs the history of the repository.
export default oneFileAtATime(['tests/upgrade/**/*.test.ts']);
