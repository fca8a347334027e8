import { CommandError, exitCodes } from '../lib/cli/command-error';
import { table } from '../lib/cli/table';

// What the examining commands print: one line for each subject.

export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'wrong';
  /** What was found and, unless it is ok, what to do. */
  readonly sentence: string;
}

export const ok = (subject: string, sentence: string): Finding => ({ subject, state: 'ok', sentence });
export const warning = (subject: string, sentence: string): Finding => ({ subject, state: 'warning', sentence });
export const wrong = (subject: string, sentence: string): Finding => ({ subject, state: 'wrong', sentence });

/** The text of a command. Rejects with a CommandError if something is wrong, after it has printed all findings. */
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
  throw new CommandError('Something is wrong; see above.', exitCodes.failed);
}

const MIN_NODE = [20, 19] as const;

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isNew
    ? ok('Node', process.version)
    : wrong('Node', `${process.version} is too old. Install ${MIN_NODE.join('.')} or later.`);
}

/** What the next start does to a database whose last migration was made at this time. */
export function checkSchema(
  lastMigration: number | undefined,
  migrations: readonly { readonly name: string; readonly createdMs: number }[],
): Finding {
  const newest = migrations.at(-1)?.createdMs ?? 0;
  if (lastMigration !== undefined && lastMigration > newest)
    return warning(
      'database',
      'It answers. A later version has migrated it. Of the versions before that one, only the last can use it.',
    );
  const missing = migrations.filter(({ createdMs }) => createdMs > (lastMigration ?? 0)).map(({ name }) => name);
  if (lastMigration === undefined) return ok('database', 'It answers and is empty. The first start makes its tables.');
  if (missing.length === 0) return ok('database', 'It answers, and its schema is that of this version.');
  const names = missing.length > 5 ? `${missing.slice(0, 5).join(', ')}, …` : missing.join(', ');
  return warning(
    'database',
    `It answers. The next start applies ${missing.length === 1 ? 'one migration' : `${missing.length} migrations`}: ${names}.`,
  );
}
