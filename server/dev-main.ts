import { startDevelopment } from '../lib/domain/development';

// The entry of `npm run dev`; server/dev.mjs starts it. Everything else is loaded after the process is marked.

if (process.env.NODE_ENV === 'production')
  throw new Error('This entry is for development. Start Patchbay with "npm start".');
startDevelopment();
void import('./main');
