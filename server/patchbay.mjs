#!/usr/bin/env node
// The program `patchbay` of package.json. Runs the built command if it is newer than the sources, otherwise the
// sources.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './build.mjs';

const require = createRequire(import.meta.url);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
if (isBuilt()) require(path.join(root, 'dist', 'patchbay.cjs'));
else {
  const [cjs, esm] = await Promise.all([import('tsx/cjs/api'), import('tsx/esm/api')]);
  cjs.register();
  // For the modules that the sources import later.
  esm.register();
  require(path.join(root, 'server', 'patchbay.ts'));
}
