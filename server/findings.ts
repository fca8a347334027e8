import { CommandError, exitCodes } from '../lib/cli/command-error';
import { table } from '../lib/cli/table';

// The output of the commands that examine an installation: one line per subject.

export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'wrong';
  /** What was found and, unless the state is `ok`, what to do. */
  readonly sentence: string;
}

export const ok = (subject: string, sentence: string): Finding => ({ subject, state: 'ok', sentence });
export const warning = (subject: string, sentence: string): Finding => ({ subject, state: 'warning', sentence });
export const wrong = (subject: string, sentence: string): Finding => ({ subject, state: 'wrong', sentence });

/** Returns the output of a command. If a finding is `wrong`, prints all findings and throws a CommandError. */
export function report(findings: readonly Finding[], asJson: boolean, notes = ''): string {
  const isWrong = findings.some(({ state }) => state === 'wrong');
  if (asJson) {
    const body = { object: 'list', data: findings, ...(notes !== '' && { notes }) };
    if (isWrong) throw new CommandError('', exitCodes.failed, body);
    return `${JSON.stringify(body)}\n`;
  }
  const text = table(findings.map(({ subject, state, sentence }) => [state, subject, sentence])) + notes;
  if (!isWrong) return text;
  process.stdout.write(text);
  throw new CommandError('The examination found errors; they are marked "wrong" above.', exitCodes.failed);
}

const MIN_NODE = [20, 19] as const;

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isNew
    ? ok('Node', process.version)
    : wrong('Node', `${process.version} is too old. Install ${MIN_NODE.join('.')} or later.`);
}

/**
 * Returns what the next start does to a database. `lastMigration` is the creation time in milliseconds of the last
 * migration that was applied to it; undefined for an empty database.
 */
export function checkSchema(
  lastMigration: number | undefined,
  migrations: readonly { readonly name: string; readonly createdMs: number }[],
): Finding {
  const newest = migrations.at(-1)?.createdMs ?? 0;
  if (lastMigration !== undefined && lastMigration > newest)
    return warning(
      'database',
      'The database answers. A later version of Patchbay has migrated it; of the versions before that one, only the last can use it.',
    );
  const missing = migrations.filter(({ createdMs }) => createdMs > (lastMigration ?? 0)).map(({ name }) => name);
  if (lastMigration === undefined)
    return ok('database', 'The database answers and is empty. The first start creates its tables.');
  if (missing.length === 0) return ok('database', 'The database answers, and its schema is that of this version.');
  const names = missing.length > 5 ? `${missing.slice(0, 5).join(', ')}, …` : missing.join(', ');
  return warning(
    'database',
    `The database answers. The next start applies ${missing.length === 1 ? 'one migration' : `${missing.length} migrations`}: ${names}.`,
  );
}
