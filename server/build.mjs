// Builds both parts: Next's pages, and the server as plain files that Node runs without a compiler. Packages stay
// outside the bundles; every `*-worker.ts` becomes an entry of its own at the same path below `dist`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const stamp = path.join(root, 'dist', 'built');
/** A change below these folders makes the build stale. */
const sources = [
  'app',
  'lib',
  'server',
  'public',
  'package.json',
  'next.config.mjs',
  'tsconfig.json',
  'postcss.config.mjs',
  'instrumentation.ts',
  'proxy.ts',
];

/** Whether there is a build that is newer than all of its sources. */
export function isBuilt() {
  if (!existsSync(stamp) || !existsSync(path.join(root, '.next', 'BUILD_ID'))) return false;
  const builtAt = statSync(stamp).mtimeMs;
  return sources.every((source) => newest(path.join(root, source)) <= builtAt);
}

export async function buildAll() {
  rmSync(stamp, { force: true });
  await bundle();
  const next = spawnSync(process.execPath, [path.join(root, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  });
  if (next.status !== 0) throw new Error('next build failed; its message is above.');
  writeFileSync(stamp, new Date().toISOString());
}

/** Builds only the server part, which takes a few hundred milliseconds. */
export async function bundle() {
  const out = path.join(root, 'dist');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const workers = files(path.join(root, 'lib')).filter((file) => file.endsWith('-worker.ts'));
  const options = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    outExtension: { '.js': '.cjs' },
    logLevel: 'warning',
  };
  await build({
    ...options,
    absWorkingDir: root,
    // The operator's commands too: the image has no compiler to run their sources.
    entryPoints: ['main', 'compose', 'credits', 'limits', 'patchbay', 'providers'].map((name) => `server/${name}.ts`),
    outdir: 'dist',
  });
  await build({
    ...options,
    absWorkingDir: root,
    entryPoints: workers.map((file) => path.relative(root, file)),
    outbase: root,
    outdir: 'dist',
  });
}

function files(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function newest(file) {
  if (!existsSync(file)) return 0;
  if (!statSync(file).isDirectory()) return statSync(file).mtimeMs;
  return Math.max(0, ...files(file).map((each) => statSync(each).mtimeMs));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
