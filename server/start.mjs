// `npm start`: builds if the build is missing or older than the source, then runs the built server in this process, so
// that a stop signal reaches the server and not a wrapper.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll, isBuilt } from './build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
process.env.NODE_ENV = 'production';
// Disables Next's telemetry.
process.env.NEXT_TELEMETRY_DISABLED = '1';
if (!isBuilt()) {
  console.log('Building Patchbay; this takes about half a minute and happens once for each version.');
  await buildAll();
}
createRequire(import.meta.url)('../dist/main.cjs');
