import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrations } from './earlier-migrations';
import { findUnsafe } from './migration-rules';
import { projectRoot } from './project';

// The version before this one, from the history of the repository: what an operator upgrades from.

export interface PreviousVersion {
  readonly commit: string;
  /** How it was chosen. */
  readonly reason: string;
  /** The names of the migrations that it does not have. */
  readonly newMigrations: readonly string[];
}

const git = (...args: readonly string[]): string | undefined => {
  try {
    return execFileSync('git', args, {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
};

/**
 * `PREVIOUS_VERSION` (a tag or commit), else the last release before this commit, else where this branch left `main`, or
 * on `main` the commit before. Throws if `PREVIOUS_VERSION` does not exist. Prints why and returns undefined if the
 * history does not reach that far, as in a shallow clone, or if the schema of an unreleased version cannot be kept.
 */
export function findPreviousVersion(): PreviousVersion | undefined {
  const { PREVIOUS_VERSION } = process.env;
  const commitOf = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`) || undefined;
  if (PREVIOUS_VERSION) {
    const commit = commitOf(PREVIOUS_VERSION);
    if (commit === undefined) throw new Error(`PREVIOUS_VERSION ${PREVIOUS_VERSION} is no commit of this repository.`);
    return { commit, reason: `PREVIOUS_VERSION is ${PREVIOUS_VERSION}`, newMigrations: newMigrations(commit) };
  }
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  const released = release && commitOf(release);
  if (released)
    return { commit: released, reason: `${release} is the last release`, newMigrations: newMigrations(released) };

  const forks = ['origin/main', 'main'].flatMap((branch) => git('merge-base', 'HEAD', branch) || []);
  const commit = forks.find((fork) => fork !== commitOf('HEAD')) ?? commitOf('HEAD^');
  if (commit === undefined) return skipped('this clone has no history');
  const added = newMigrations(commit);
  const unsafe = added.filter((tag) => findUnsafe(readMigration(tag)).length > 0);
  if (unsafe.length > 0)
    return skipped(`there is no release, and ${unsafe.join(', ')} does not keep what ${commit.slice(0, 8)} uses`);
  const reason = 'there is no release, and it is the commit that this change is based on';
  return { commit, reason, newMigrations: added };
}

function skipped(reason: string): undefined {
  console.log(`Skipped: the upgrade from the version before, because ${reason}. PREVIOUS_VERSION names another one.`);
  return undefined;
}

function newMigrations(commit: string): string[] {
  const file = 'drizzle/meta/_journal.json';
  // Safe: drizzle's own file.
  const tagsIn = (text: string) => (JSON.parse(text) as { entries: { tag: string }[] }).entries.map(({ tag }) => tag);
  const before = new Set(tagsIn(git('show', `${commit}:${file}`) ?? '{"entries": []}'));
  return tagsIn(readFileSync(path.join(projectRoot, file), 'utf8')).filter((tag) => !before.has(tag));
}

const readMigration = (tag: string) => readFileSync(path.join(migrations, `${tag}.sql`), 'utf8');

export interface PreviousCheckout {
  readonly root: string;
  remove(): void;
}

/** Its files in a folder of their own, with its packages and its built server, without pages. */
export function checkOutPrevious({ commit }: PreviousVersion): PreviousCheckout {
  const root = mkdtempSync(path.join(tmpdir(), 'patchbay-previous-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: projectRoot, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  const lock = (folder: string) => readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  if (lock(root) === lock(projectRoot))
    symlinkSync(path.join(projectRoot, 'node_modules'), path.join(root, 'node_modules'));
  else
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: root,
      stdio: 'inherit',
    });
  const bundle = `import('./server/build.mjs').then(({ bundle }) => bundle())`;
  execFileSync(process.execPath, ['--eval', bundle], { cwd: root, stdio: 'inherit' });
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Gives it the migrations of this version, so that its databases have the new schema. */
export function migrateLikeThis({ root }: PreviousCheckout): void {
  rmSync(path.join(root, 'drizzle'), { recursive: true });
  cpSync(migrations, path.join(root, 'drizzle'), { recursive: true });
}
