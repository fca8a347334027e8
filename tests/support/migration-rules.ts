// What a migration must not do, so that it can be applied while processes of the version before answer requests: see
// docs/contributing/migrations.md.

export interface UnsafeStatement {
  readonly rule: string;
  readonly statement: string;
}

interface Rule {
  /** What it does to the processes that run. */
  readonly rule: string;
  readonly pattern: RegExp;
  /** Holds also for a table that this migration creates. */
  readonly always?: true;
}

const NAME = String.raw`(?:"?public"?\.)?"?(?<table>\w+)"?`;
const ALTER = String.raw`alter table (?:if exists )?(?:only )?${NAME} .*?`;

const rules: readonly Rule[] = [
  { rule: 'removes what the version before uses', pattern: /^drop (?:table|schema|type|view|sequence)\b/ },
  { rule: 'removes what the version before uses', pattern: new RegExp(`^${ALTER}drop (?:column|constraint)\\b`) },
  { rule: 'removes a default that the version before relies on', pattern: new RegExp(`^${ALTER}drop default\\b`) },
  { rule: 'renames what the version before uses', pattern: new RegExp(`^${ALTER}rename\\b`) },
  { rule: 'renames what the version before uses', pattern: /^alter (?:index|type|sequence|schema) .*\brename\b/ },
  {
    rule: 'requires a value that the version before does not write',
    pattern: new RegExp(
      `^${ALTER}add column (?:(?!default|generated).)*\\bnot null\\b(?!.*\\b(?:default|generated)\\b)`,
    ),
  },
  {
    rule: 'requires a value that the version before does not write',
    pattern: new RegExp(`^${ALTER}alter column .* set not null\\b`),
  },
  { rule: 'rewrites the table under a lock', pattern: new RegExp(`^${ALTER}alter column .* (?:set data )?type\\b`) },
  {
    rule: 'checks all rows under a lock: add the constraint as not valid, and validate it in the next migration',
    pattern: new RegExp(
      `^${ALTER}add (?:constraint \\S+ )?(?:check|foreign key|unique|primary key|exclude)\\b(?!.*\\bnot valid\\b)`,
    ),
  },
  {
    rule: 'stops writes while it builds an index: use concurrently',
    pattern: new RegExp(`^create (?:unique )?index (?:if not exists )?\\S+ on (?:only )?${NAME}`),
  },
  {
    rule: 'removes an index that the version before may need for its conflicts',
    pattern: /^drop index (?!concurrently if exists)/,
  },
  {
    rule: 'changes many rows in one transaction: let the program do it in batches',
    pattern: new RegExp(`^update (?:only )?${NAME} `),
  },
  {
    rule: 'changes many rows in one transaction: let the program do it in batches',
    pattern: new RegExp(`^delete from (?:only )?${NAME}`),
  },
  { rule: 'changes many rows in one transaction: let the program do it in batches', pattern: /^truncate\b/ },
  { rule: 'locks a table', pattern: /^lock\b/, always: true },
];

/** The statements of a migration's file that break a rule, each once for each rule. */
export function findUnsafe(file: string): UnsafeStatement[] {
  const statements = file
    .split('--> statement-breakpoint')
    .flatMap((part) => part.replace(/--.*$/gm, '').split(/;\s*(?:\n|$)/))
    .map((statement) => statement.toLowerCase().replace(/\s+/g, ' ').trim())
    .filter(Boolean);
  const created = new Set(
    statements.flatMap(
      (text) => new RegExp(`^create table (?:if not exists )?${NAME}`).exec(text)?.groups?.table ?? [],
    ),
  );
  const broken = statements.flatMap((statement) =>
    rules.flatMap(({ rule, pattern, always }) => {
      const found = pattern.exec(statement);
      const isNew = always !== true && created.has(found?.groups?.table ?? '');
      return found && !isNew ? [{ rule, statement }] : [];
    }),
  );
  return [...broken, ...misusedConcurrently(statements)];
}

/** A concurrent build that fails leaves an invalid index behind, so it must be able to begin again. */
function misusedConcurrently(statements: readonly string[]): UnsafeStatement[] {
  if (!statements.some((text) => text.includes(' concurrently '))) return [];
  return statements.flatMap((statement, at) => {
    if (statement.startsWith('drop index concurrently if exists ')) return [];
    const name = /^create (?:unique )?index concurrently (\S+) on /.exec(statement)?.[1];
    if (name === undefined)
      return [
        {
          rule: 'is in one migration with a concurrent statement, which runs without a transaction: use a migration of its own',
          statement,
        },
      ];
    const isRepeatable = statements.slice(0, at).includes(`drop index concurrently if exists ${name}`);
    return isRepeatable
      ? []
      : [{ rule: 'cannot be repeated: drop the index concurrently if exists before', statement }];
  });
}
