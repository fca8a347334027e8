import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { skippedBecause } from './child-server';

// Tools of others that try the product from outside. They are large and needed by no one else, so a test installs them
// from npm when it runs, and they are no packages of the project.

const INSTALL_TIMEOUT_MS = 300_000;

export interface OutsidePackages {
  /** The folder with their `node_modules`. */
  readonly directory: string;
  /** The folder with their commands. */
  readonly commands: string;
  /** Imports one of them. The caller passes the type that it uses of it. */
  load<Module>(name: string): Promise<Module>;
  dispose(): Promise<void>;
}

/** Installs them in a folder of their own; undefined, with a printed reason, where npm cannot. */
export async function installOutside(suite: string, packages: readonly string[]): Promise<OutsidePackages | undefined> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-outside-'));
  const dispose = () => rm(directory, { recursive: true, force: true });
  try {
    await promisify(execFile)('npm', ['install', '--prefix', directory, '--no-audit', '--no-fund', ...packages], {
      timeout: INSTALL_TIMEOUT_MS,
    });
  } catch (error) {
    await dispose();
    return skippedBecause(suite, `npm cannot install ${packages.join(', ')}: ${String(error).slice(0, 300)}`);
  }
  const require = createRequire(path.join(directory, 'package.json'));
  return {
    directory,
    commands: path.join(directory, 'node_modules/.bin'),
    async load<Module>(name: string) {
      return (await import(pathToFileURL(require.resolve(name)).href)) as Module;
    },
    dispose,
  };
}
