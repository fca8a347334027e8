import { startDevelopment } from '../lib/domain/development';

// The entry of `npm run dev`; server/dev.mjs starts it. It marks the process as development before it loads anything
// else.

if (process.env.NODE_ENV === 'production')
  throw new Error('This entry is for development. Start Patchbay with "npm start".');
startDevelopment();
void import('./main');
