import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from './project';

/** By the path of the result: a bundle takes half a second of processor time, and a process starts a server often. */
const bundled = new Set<string>();

/**
 * Bundles the source file of a process or a worker, as the product is bundled, and returns the path of the result.
 * Compiling each file when it is loaded takes a second more of processor time per start, and adds code that the product
 * does not have. `root` is another checkout.
 */
export function bundleServer(file: string, root = projectRoot): string {
  const outfile = path.resolve(root, 'dist', file.replace(/\.ts$/, '.cjs'));
  // A build removes the folder.
  if (bundled.has(outfile) && existsSync(outfile)) return outfile;
  const { outputFiles } = buildSync({
    entryPoints: [path.resolve(root, file)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    write: false,
    logLevel: 'error',
  });
  mkdirSync(path.dirname(outfile), { recursive: true });
  // Another process may be bundling or starting the same server.
  const unfinished = `${outfile}.${process.pid}`;
  writeFileSync(unfinished, outputFiles[0]!.contents);
  renameSync(unfinished, outfile);
  bundled.add(outfile);
  return outfile;
}
